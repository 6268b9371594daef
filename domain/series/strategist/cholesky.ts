/** Systems of linear equations with a symmetric, positive definite matrix. */

/** L with L Lᵀ = matrix. */
export function cholesky(matrix: Float64Array, size: number): Float64Array {
  const root = new Float64Array(size * size);
  for (let i = 0; i < size; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = matrix[i * size + j]!;
      for (let k = 0; k < j; k++) sum -= root[i * size + k]! * root[j * size + k]!;
      root[i * size + j] = i === j ? Math.sqrt(sum) : sum / root[j * size + j]!;
    }
  }
  return root;
}

/** x with L x = right. */
export function solveDown(root: Float64Array, right: Float64Array): Float64Array {
  const size = right.length;
  const x = new Float64Array(size);
  for (let i = 0; i < size; i++) {
    let sum = right[i]!;
    for (let k = 0; k < i; k++) sum -= root[i * size + k]! * x[k]!;
    x[i] = sum / root[i * size + i]!;
  }
  return x;
}

/** x with Lᵀ x = right. */
export function solveUp(root: Float64Array, right: Float64Array): Float64Array {
  const size = right.length;
  const x = right.slice();
  for (let i = size - 1; i >= 0; i--) {
    for (let k = i + 1; k < size; k++) x[i]! -= root[k * size + i]! * x[k]!;
    x[i]! /= root[i * size + i]!;
  }
  return x;
}

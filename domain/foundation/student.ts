/** Student's t distribution: that of a normal mean whose variance is estimated as well. */

const STEPS = 200;

/**
 * P(T <= t). With t = sqrt(dof) tan(angle) the density becomes cos(angle)^(dof - 1). It is smooth and
 * bounded, so Simpson's rule is exact enough (Abramowitz & Stegun 26.7).
 */
export function studentCdf(t: number, dof: number): number {
  const area = (to: number) => simpson((angle) => Math.cos(angle) ** (dof - 1), to);
  const half = area(Math.atan(Math.abs(t) / Math.sqrt(dof))) / area(Math.PI / 2) / 2;
  return t < 0 ? 0.5 - half : 0.5 + half;
}

/** The value t with P(T <= t) = `p`, by bisection. */
export function studentQuantile(p: number, dof: number): number {
  let low = -1_000, high = 1_000;
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2;
    if (studentCdf(middle, dof) < p) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

/** The integral of `f` from 0 to `to`. */
function simpson(f: (x: number) => number, to: number): number {
  const step = to / STEPS;
  let sum = f(0) + f(to);
  for (let i = 1; i < STEPS; i++) sum += f(i * step) * (i % 2 === 0 ? 2 : 4);
  return sum * step / 3;
}

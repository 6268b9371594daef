/** The names of `@std/assert` that our tests use, on `node:assert/strict`, where JSR can't be reached. */
import strict from "node:assert/strict";

export function assert(condition: unknown, message?: string): asserts condition {
  strict.ok(condition, message);
}

export function assertEquals<T>(actual: T, expected: T, message?: string): void {
  strict.deepStrictEqual(actual, expected, message);
}

export function assertAlmostEquals(
  actual: number,
  expected: number,
  tolerance = 1e-7,
  message?: string,
): void {
  if (Object.is(actual, expected) || Math.abs(actual - expected) <= tolerance) return;
  strict.fail(`${message ?? ""} ${actual} differs from ${expected} by more than ${tolerance}`);
}

export function assertNotEquals<T>(actual: T, expected: T, message?: string): void {
  strict.notDeepStrictEqual(actual, expected, message);
}

export function assertMatch(actual: string, expected: RegExp, message?: string): void {
  strict.match(actual, expected, message);
}

export function assertStringIncludes(actual: string, expected: string, message?: string): void {
  strict.ok(actual.includes(expected), message ?? `${JSON.stringify(actual)} lacks "${expected}"`);
}

export function assertThrows<E extends Error>(
  action: () => unknown,
  kind: new (...args: never[]) => E,
  includes = "",
): E {
  try {
    action();
  } catch (error) {
    return expectError(error, kind, includes);
  }
  throw new strict.AssertionError({ message: `Expected ${kind.name}, nothing was thrown` });
}

export async function assertRejects<E extends Error>(
  action: () => Promise<unknown>,
  kind: new (...args: never[]) => E,
  includes = "",
): Promise<E> {
  try {
    await action();
  } catch (error) {
    return expectError(error, kind, includes);
  }
  throw new strict.AssertionError({ message: `Expected ${kind.name}, nothing was thrown` });
}

function expectError<E extends Error>(
  error: unknown,
  kind: new (...args: never[]) => E,
  includes: string,
): E {
  strict.ok(error instanceof kind, `Expected ${kind.name}, got ${error}`);
  assertStringIncludes(error.message, includes);
  return error;
}

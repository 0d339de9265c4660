// Compares values of JSON or TOML; the order of keys does not count. Pure.

import { isObject } from "../base/checks.ts";

/**
 * Whether two values are the same scalar, or have equal items in the same order, or the same keys with equal values.
 */
export function isEqual(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (one instanceof Date && other instanceof Date) return one.getTime() === other.getTime();
  if (Array.isArray(one) && Array.isArray(other)) {
    return one.length === other.length && one.every((item, index) => isEqual(item, other[index]));
  }
  if (!isObject(one) || !isObject(other)) return Number.isNaN(one) && Number.isNaN(other);
  const keys = Object.keys(one);
  return keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && isEqual(one[key], other[key]));
}

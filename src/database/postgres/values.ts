/** Replaces NUL, the only character that PostgreSQL refuses in texts. */
export const withoutNul = <T>(value: T): T =>
  (typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\uFFFD') : value) as T

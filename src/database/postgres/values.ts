/** PostgreSQL accepts every character in a text except this one. */
export const withoutNul = <T>(value: T): T =>
  (typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\uFFFD') : value) as T

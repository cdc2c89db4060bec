/** A time as the API writes it: ISO 8601 to the second with a `+00:00` offset (API §1). */
export const apiTimestamp = (ms: number): string => `${new Date(ms).toISOString().slice(0, 19)}+00:00`

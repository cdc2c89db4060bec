const unitsMs = { second: 1_000, minute: 60_000, hour: 60 * 60_000, day: 24 * 60 * 60_000 }

/** A rule's length of time in words: `an hour`, `15 minutes`. @param ms a whole number of the unit. */
export const lengthIn = (unit: keyof typeof unitsMs, ms: number): string => {
  const count = ms / unitsMs[unit]
  return count === 1 ? `${unit === 'hour' ? 'an' : 'a'} ${unit}` : `${count} ${unit}s`
}

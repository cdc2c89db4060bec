/** Reads `21:30`, `21.30`, `2130`, `9pm`, `6`. @returns minutes since midnight. */
export const readTime = (text: string): number | null => {
  const match = /^(\d{1,2})(?:[:.h]?(\d{2}))?\s*(am|pm)?$/i.exec(text.trim())
  if (!match) return null
  const [, hour = '', minute = '0', half] = match
  const [hours, minutes] = [Number(hour), Number(minute)]
  if (minutes > 59 || hours > (half ? 12 : 23) || (half && hours === 0)) return null
  const later = half?.toLowerCase() === 'pm' ? 12 : 0
  return (half ? (hours % 12) + later : hours) * 60 + minutes
}

const two = (value: number): string => String(value).padStart(2, '0')

/** A time of day, e.g. `21:30`. @param minutes since midnight. */
export const clockOf = (minutes: number): string => `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`

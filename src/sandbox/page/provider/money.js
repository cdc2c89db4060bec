/**
 * `2350` → `GHS 23.50`
 *
 * @param {number} pesewas
 */
export function cedis(pesewas) {
  const sign = pesewas < 0 ? '-' : ''
  const [whole, part] = (Math.abs(pesewas) / 100).toFixed(2).split('.')
  return `${sign}GHS ${whole?.replace(/\B(?=(\d{3})+$)/g, ',')}.${part}`
}

/**
 * The pesewas of an amount that a person typed in GHS; null if it is not an amount with at most two decimals.
 *
 * @param {string} typed
 * @returns {number | null}
 */
export function pesewasOf(typed) {
  const match = /^(\d{1,9})(?:[.,](\d{1,2}))?$/.exec(typed.trim().replace(/^GHS\s*/i, ''))
  if (!match) return null
  return Number(match[1]) * 100 + Number((match[2] ?? '').padEnd(2, '0'))
}

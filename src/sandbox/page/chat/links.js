/**
 * What a Telegram app does when an address is pressed.
 *
 * @typedef {{ kind: 'start', url: string }
 *   | { kind: 'bot' }
 *   | { kind: 'share', text: string }
 *   | { kind: 'elsewhere', url: string }} Link
 */

/**
 * @param {string} address as written, with or without `https://`
 * @param {string} botName the bot's username
 * @returns {Link}
 */
export function linkOf(address, botName) {
  const url = parsed(address)
  if (!url) return { kind: 'elsewhere', url: address }
  if (url.protocol === 'tg:') return deepLinkOf(url, url.searchParams.get('domain') ?? '', botName)
  if (!['t.me', 'telegram.me', 'telegram.dog'].includes(url.hostname))
    return { kind: 'elsewhere', url: url.href }
  const path = url.pathname.replace(/^\/|\/$/g, '')
  if (path === 'share/url' || path === 'share') return { kind: 'share', text: sharedText(url) }
  return deepLinkOf(url, path, botName)
}

/**
 * The addresses that Telegram makes pressable in a plain text.
 *
 * @param {string} text
 * @returns {{ type: 'url', offset: number, length: number }[]}
 */
export function linksIn(text) {
  const addresses = text.matchAll(/(?:https?:\/\/|\bt\.me\/)[^\s<>"]*[^\s<>".,;:!?)]/g)
  return [...addresses].map((match) => ({ type: 'url', offset: match.index, length: match[0].length }))
}

/**
 * @param {URL} url
 * @param {string} name
 * @param {string} botName
 * @returns {Link}
 */
function deepLinkOf(url, name, botName) {
  if (name.toLowerCase() !== botName.toLowerCase()) return { kind: 'elsewhere', url: url.href }
  const payload = url.searchParams.get('start')
  if (payload === null) return { kind: 'bot' }
  return { kind: 'start', url: `https://t.me/${botName}?start=${encodeURIComponent(payload)}` }
}

/** @param {URL} url Telegram puts the address on the first line and the text below it. */
function sharedText(url) {
  const parts = [url.searchParams.get('url'), url.searchParams.get('text')]
  return parts.filter((part) => part?.trim()).join('\n')
}

/**
 * @param {string} address
 * @returns {URL | null}
 */
function parsed(address) {
  return URL.parse(/^[a-z][a-z0-9+.-]*:/i.test(address) ? address : `https://${address}`)
}

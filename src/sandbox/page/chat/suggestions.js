/** @import { ProviderAccountState, ProviderOrderState } from '../../provider/control.ts' */
/** @import { Person } from '../../telegram/control/control.ts' */

/**
 * Something to try. `text` is put into the composer, and the newcomer sends it.
 *
 * @typedef {object} Suggestion
 * @property {string} label
 * @property {string} text
 * @property {string} [fileName] the text is put into the composer as a file of this name
 * @property {Person['role']} [as] the person who can do it, if that is somebody else
 *
 * What the suggestions depend on.
 * @typedef {object} Situation
 * @property {Person['role']} role
 * @property {string[]} commands in the person's menu, which has more commands once they have an account
 * @property {string} lastFromBot the bot's newest text in the chat
 * @property {boolean} hasNote whether somebody passed a link on to the person
 * @property {ProviderAccountState | undefined} account the reseller's demo account, once the provider is known
 * @property {ProviderOrderState[]} orders newest first
 */

/**
 * What a newcomer can try next. The first suggestion is the next step.
 *
 * @param {Situation} situation
 * @returns {Suggestion[]}
 */
export function suggestionsFor(situation) {
  const { role, commands, hasNote, orders } = situation
  const isMember = ['customers', 'prices', 'stats'].some((command) => commands.includes(command))
  switch (role) {
    case 'reseller':
      if (!isMember) return isAskedForKey(situation) ? credentialsOf(situation) : [typed('/connect')]
      if (isAskedForKey(situation)) return [typed('/connect'), ...credentialsOf(situation)]
      return toOrder(orders, ['/orders', '/prices', '/agents'])
    case 'agent':
      if (isMember) return toOrder(orders, ['/orders', '/stats'])
      return hasNote ? [] : [{ label: 'As the reseller: invite an agent', text: '/agents', as: 'reseller' }]
    case 'customer':
      return toFollow(orders)
    case 'operator':
      return [typed('/admin'), typed('/help')]
  }
}

/** @param {Situation} situation */
function isAskedForKey({ lastFromBot }) {
  return /API (key|secret)/.test(lastFromBot)
}

/** @param {Situation} situation */
function credentialsOf({ account }) {
  if (!account) return []
  const { apiKey, apiSecret } = account
  return [
    { label: 'Demo key and secret', text: `${apiKey}\n${apiSecret}` },
    { label: 'Demo API key', text: apiKey },
    { label: 'Demo API secret', text: apiSecret },
  ]
}

/**
 * Lists are suggested first until the person has sent one.
 *
 * @param {ProviderOrderState[]} orders
 * @param {string[]} commands
 */
function toOrder(orders, commands) {
  const single = `${unused('024', orders)} 2GB`
  const lists = [
    { label: 'A list', text: listOf(orders) },
    { label: 'A list as customers write it', text: messyList(orders) },
    { label: 'A list as a file', text: fileOf(orders), fileName: 'numbers.csv' },
  ]
  const hasSentList = orders.some(({ type }) => type === 'bulk')
  const rest = commands.map(typed)
  return [
    { label: single, text: single },
    ...(hasSentList ? [...rest, ...lists] : lists),
    ...(hasSentList || orders.length === 0 ? [] : rest),
  ]
}

/** @param {ProviderOrderState[]} orders */
function toFollow([newest]) {
  if (newest) return [typed(newest.reference)]
  return [{ label: 'As the reseller: order a bundle', text: '/buy', as: /** @type {const} */ ('reseller') }]
}

/** @param {ProviderOrderState[]} orders */
function listOf(orders) {
  return [
    `${unused('024', orders, 1)} 2GB`,
    `${unused('055', orders)} 1GB`,
    `${unused('020', orders)} 5GB`,
    `${unused('050', orders)} 2GB`,
    `${unused('059', orders)} 10GB`,
  ].join('\n')
}

/**
 * A list with a greeting, sizes without a unit, and a number that lacks a digit.
 *
 * @param {ProviderOrderState[]} orders
 */
function messyList(orders) {
  return [
    'Good morning boss, for today:',
    `1. ${unused('024', orders, 2)} - 2gb`,
    `2) Ama ${unused('055', orders, 1)} 3 gig`,
    `3. ${unused('020', orders, 1)} 10`,
    '4. 024123456 1gb',
    `${unused('059', orders, 1)} 1gb pls`,
  ].join('\n')
}

/** @param {ProviderOrderState[]} orders */
function fileOf(orders) {
  return [
    'Name,Phone,Bundle',
    `Kofi,${unused('024', orders, 3)},2GB`,
    `Ama,${unused('020', orders, 2)},1GB`,
    `Yaw,${unused('055', orders, 2)},3GB`,
    '',
  ].join('\n')
}

/**
 * A number without an order. For others, the provider may refuse a second open order, or the bot may ask first.
 *
 * @param {string} prefix
 * @param {ProviderOrderState[]} orders
 * @param {number} [skip] how many unused numbers to leave to other suggestions
 */
function unused(prefix, orders, skip = 0) {
  const ordered = new Set(orders.flatMap(({ phones }) => phones.map(({ phone }) => phone)))
  let left = skip
  for (let digits = 1_234_567; ; digits += 1) {
    const phone = `${prefix}${digits}`
    if (!ordered.has(phone) && left-- === 0) return phone
  }
}

/** @param {string} text */
function typed(text) {
  return { label: text, text }
}

import { type HelpTopic, helpTopics } from '../buttons/help.ts'
import { b } from './markup.ts'

/** The words of /help, a topic a screen: part of the catalogue. Each is short enough for a small phone. */

type Role = 'owner' | 'agent' | null

/** What there is for whom, in the order of the buttons. */
export const topicsFor = (role: Role): readonly HelpTopic[] => {
  if (role === null) return ['follow', 'trouble']
  return role === 'owner' ? helpTopics : helpTopics.filter((topic) => topic !== 'agents')
}

export const helpLabels: Record<HelpTopic, string> = {
  order: '🛒 Order',
  lists: '📝 Many numbers',
  customers: '👥 Customers',
  orders: '🧾 Your orders',
  follow: '📤 Share and follow',
  prices: '🏷 Prices, receipts',
  wallet: '💰 Money and files',
  agents: '🤝 Agents',
  settings: '⚙️ Settings, data',
  trouble: '⚠️ Problems',
}

/** @param role of who asks; null without an account. */
export const help = (role: Role): string =>
  [
    b('How it works'),
    '',
    ...(role === null ? stranger : member),
    '',
    role === 'owner'
      ? '/disconnect removes your account from this bot.'
      : role === 'agent'
        ? '/disconnect: you stop ordering on the owner’s wallet.'
        : '/connect attaches your account. The key and secret are in the provider’s dashboard, in the developer API section.',
  ].join('\n')

const member = [
  '1. Send a number and a size: <code>0241234567 5GB</code>.',
  '2. You see the price. Press Confirm: nothing is charged before that.',
  '3. The order’s card changes as the provider delivers, and a message tells you the end.',
  '',
  'Press a topic for more. /cancel leaves whatever you are in the middle of.',
]

const stranger = [
  `${b('Somebody ordered for you?')} Send the order’s reference, or open the link that you were sent: you see where the order is, and can ask whoever ordered.`,
  `${b('You sell data?')} Connect your account at the provider, then order for any number in this chat.`,
]

export const helpOn = (topic: HelpTopic, role: Role): string =>
  [b(helpLabels[topic]), '', ...linesOn(topic, role)].join('\n')

const linesOn = (topic: HelpTopic, role: Role): string[] => {
  const isOwner = role === 'owner'
  switch (topic) {
    case 'order':
      return [
        '• Send <code>0241234567 5GB</code>, in any order of words.',
        '• Or press /buy and choose network, bundle and number. A contact from your phone is a number too.',
        '• A saved customer: <code>Kofi 5GB</code>.',
        '• 🔁 Repeat on an order’s card asks for the same once more, at today’s price.',
        `• /bundles: what each bundle costs ${isOwner ? 'you' : 'the wallet'}.`,
        '',
        'Nothing is charged before you press Confirm. A price that changed meanwhile is shown first.',
      ]
    case 'lists':
      return [
        '• Send the whole list as you have it, a number and a size on each line: pasted, forwarded, or as a file (.txt, .csv, .xlsx).',
        '• Names of saved customers do too: <code>Kofi 5GB</code>, <code>Ama 1GB</code>, a line each.',
        '• Same size for all? /bulk.',
        '',
        'You see how each line was read, and can correct it, before anything is charged. Who got the same bundle in the last 10 minutes is skipped, unless you say otherwise.',
      ]
    case 'customers':
      return [
        '/customers: numbers with names.',
        '• Save one: 👤 Save on an order’s card, <code>Kofi 0241234567</code>, or a contact from your phone.',
        '• Save many: 📥 Import takes lines and files.',
        '• Send <code>Kofi</code> alone: what they bought, Buy, Rename, Delete.',
        '',
        'Each change has an Undo.',
      ]
    case 'orders':
      return [
        '/orders: all of them, with filters.',
        '• Search: <code>/orders 0241234567</code>, part of a reference, or a customer’s name.',
        '• On a card: 🔄 Refresh asks the provider now, 🛟 Report makes a text for the provider’s support.',
        '• /status with a reference, or the reference alone, opens one.',
        '• /stats: today, 7 and 30 days as a picture and in words.',
      ]
    case 'follow':
      return role === null
        ? [
            '• Send the reference that you were given: it begins with <code>BUD-</code>. /status does the same.',
            '• Or open the link that you were sent: that follows the order at once.',
            '• 🔔 Follow: you are told of each change. 🔕 Unfollow ends that.',
            '• Ask the shop: your question goes to whoever ordered. Neither of you sees the other’s account.',
          ]
        : [
            '• 📤 Share on a card gives a link for your customer, who sees the order on its way, without the price, and is told of each change.',
            '• Whoever has the reference can look the order up here, without an account.',
            '• They can ask you about it: the question comes with the order attached, and you answer by a reply. Neither sees the other’s account.',
          ]
    case 'prices':
      return [
        ...(isOwner
          ? [
              '/prices: what you sell for. A rule for all, such as <code>+2</code> or <code>10%</code>, with rounding, or a price for one bundle.',
            ]
          : ['/prices: what the shop sells for; its owner sets that.']),
        '• 🖼 Picture and 📝 Text: a price list to post.',
        '• 🧾 Receipt on a card: for the customer, as text or picture.',
        '',
        isOwner
          ? 'Customers see selling prices alone, never what you pay. You see the profit on each card and in /stats.'
          : 'Customers see selling prices alone, never what the wallet is charged.',
      ]
    case 'wallet':
      return isOwner
        ? [
            '/balance: what is there, what open orders hold, and what it is good for. 🔔 Alert tells you when it gets low.',
            '/transactions: each entry with its order; ⚠️ Unexplained shows debits that no order explains.',
            '/export: orders or entries of any time as a file for Excel.',
          ]
        : ['/balance: what is left of your limit today.', '/export: your orders as a file for Excel.']
    case 'agents':
      return [
        '/agents: others order on your wallet, without seeing your key or your balance.',
        '• Invite: a link for one person, good for an hour.',
        '• For each: a limit a day, the networks, a pause, their orders, and what you are told.',
        '• What agents see: your selling prices, what you pay, or no prices.',
        '• Removed, an agent can order nothing more at once; what is open is followed to the end.',
      ]
    case 'settings':
      return [
        '/settings',
        '• which messages you get, and quiet hours',
        ...(isOwner ? ['• low balance, shop name, daily summary'] : ['• daily summary']),
        '• the network with which buying begins',
        '• Quick repeat: Repeat without Confirm, up to an amount',
        '• 🗂 My data: all that is kept of you as a file, and Delete',
      ]
    case 'trouble':
      return [
        `• ${b('unconfirmed')}: the provider did not answer. It may have been charged: do not order again, it is being checked.`,
        `• ${b('not placed')}: checked, nothing was charged.`,
        `• ${b('rejected')}: the provider said no. Nothing was charged.`,
        ...(role === null ? [] : [`• ${b('to review')}: look at its card and say whether it was charged.`]),
        `• ${b('failed')}: not delivered.${isOwner ? ' I watch the wallet for the refund and tell you.' : ''}`,
        `• ${b('(reported)')}: the provider’s message says so, its record is being asked.`,
        ...(role === null ? [] : ['', 'Delivered, and nothing arrived? 🛟 Report on the card.']),
      ]
  }
}

import { invitationMs } from '../../../accounts/agency.ts'
import { recentMs } from '../../../orders/buying/earlier-order.ts'
import { type HelpTopic, helpTopics } from '../../buttons/help.ts'
import { escapeHtml } from '../../chat/screen.ts'
import { exampleOrder } from '../../words/hints.ts'
import { b, lengthIn } from '../../words/markup.ts'

/** Texts of the help, one screen for each topic. */

type Role = 'owner' | 'agent' | null

/**
 * The topics for each role, in the order of the buttons. Members have no topic `follow`, because they read about
 * followers under `orders`.
 */
export const topicsFor = (role: Role): readonly HelpTopic[] =>
  role === null ? ['follow', 'trouble'] : helpTopics.filter((topic) => topic !== 'follow')

export const helpLabels: Record<HelpTopic, string> = {
  order: '🛒 Buy',
  lists: '📝 Many numbers',
  orders: '🧾 Orders & sharing',
  selling: '🏷 Selling',
  wallet: '💰 Money & settings',
  trouble: '⚠️ Problems',
  follow: '🔔 Follow an order',
}

const unconfirmedMeans = (role: Role): string =>
  role === null
    ? 'no clear answer from the provider yet. The shop is checking.'
    : `no clear answer from the provider. ${role === 'owner' ? 'You' : 'The wallet'} may have been charged, so don’t order again. I’m checking.`

export const helpTitle = 'How it works'

/** @param role null: the person has no account. */
export const help = (role: Role): string =>
  [
    b(helpTitle),
    '',
    ...(role === null ? stranger : member),
    '',
    role === 'owner'
      ? '/disconnect: remove your account from this bot.'
      : role === 'agent'
        ? '/disconnect: stop ordering with the owner’s wallet.'
        : '/connect: use your own account. Its key and secret are in the provider’s dashboard (developer API section).',
  ].join('\n')

const member = [
  `1. Send a number and a size: <code>${exampleOrder}</code>.`,
  '2. Check the card and press Confirm. Nothing is charged before that.',
  '3. The card shows each step, and a message tells you when the bundle is delivered.',
  '',
  'Press a topic for more. /cancel stops what you’re doing.',
]

const stranger = [
  `${b('Did somebody order for you?')} Send the order’s reference or open the shop’s link. You’ll see the status and can ask the shop a question.`,
  `${b('Do you sell data?')} Connect your provider account, then order for any number here.`,
]

export const helpOn = (topic: HelpTopic, role: Role): string =>
  [b(escapeHtml(helpLabels[topic])), '', ...linesOn[topic](role)].join('\n')

const linesOn: Record<HelpTopic, (role: Role) => string[]> = {
  order: (role) => [
    `• Send <code>${exampleOrder}</code>, or <code>Kofi 5GB</code> for a saved customer.`,
    '• By amount: <code>0241234567 GHS 20</code> shows what GHS 20 buys.',
    '• /buy: choose a network, a bundle and a number.',
    '• 🔁 Repeat on a card orders the same again, at today’s price.',
    '• <code>Fridays 18:00: Kofi 5GB</code> brings you a card to confirm every Friday. Or press ⋯ on an order, then 🔔 Remind me.',
    role === 'owner'
      ? '• /bundles: what each bundle costs you.'
      : '• /bundles: what you can order. The owner decides which prices you see.',
    '• /customers: your saved numbers. To save one, send <code>Kofi 0241234567</code> or a contact.',
    '',
    'Nothing is charged before Confirm. If the price has changed, I’ll ask again.',
  ],
  lists: () => [
    '• Paste or forward the whole list, or send a file (.txt, .csv, .xlsx). Each line needs a number and a size.',
    '• Names of saved customers work too: <code>Kofi 5GB</code>.',
    '• Same size for everybody? Use /bulk.',
    '',
    `You’ll see how I read each line, and can correct it before Confirm. I skip numbers that got the same bundle in the last ${lengthIn('minute', recentMs)}, unless you want it again.`,
  ],
  orders: () => [
    '• /orders: all your orders. To search, add a number, a name or part of a reference: <code>/orders 0241234567</code>.',
    '• Send a reference to open its order. /status does the same.',
    '• 📤 Share makes a link for your customer: they see the order and each change, but no price.',
    '• Customers can ask you about an order. Reply to the question to answer it. Neither of you sees the other’s name.',
    '• 🛟 Report drafts a message to the provider’s support team.',
    '• /stats: your figures for today, 7 days and 30 days.',
  ],
  selling: (role) => [
    ...(role === 'owner'
      ? [
          '• /prices: your selling prices. Set a rule for all, like <code>+2</code> or <code>10%</code>, a rule for one network or size, or a price for one bundle.',
          '• 🏪 Your shop: its name, number and colour on price lists and receipts.',
        ]
      : ['• /prices: the shop’s selling prices, set by its owner.']),
    '• 🖼 Pictures: a price list to post. 🧾 Receipt, on an order’s card: a receipt for your customer.',
    role === 'owner'
      ? 'Customers never see what you pay.'
      : 'Customers see only selling prices, never what the wallet is charged.',
    ...(role === 'owner'
      ? [
          '',
          `/agents: let others order with your wallet, without seeing your key or balance. You send each one a link, valid for ${lengthIn('hour', invitationMs)}, and set their daily limit and networks.`,
        ]
      : []),
  ],
  wallet: (role) => [
    ...(role === 'owner'
      ? [
          '• /balance: how much you have left, and an alert when it’s low.',
          '• /transactions: charges and refunds with their orders, and top-ups. ⚠️ Unexplained: charges without an order.',
          '• /export: orders or transactions as a file for Excel.',
        ]
      : ['• /balance: what’s left of today’s limit.', '• /export: your orders as a file for Excel.']),
    '• /settings: messages, quiet hours, daily summary, main network.',
    '• Quick repeat: 🔁 Repeat without Confirm, up to an amount you set.',
    '• 🗂 My data: get all of it as a file, or delete it.',
  ],
  follow: () => [
    '• Send your order’s reference, which begins with <code>BUD-</code>, to see its status.',
    '• Or open the shop’s link to start following the order straight away.',
    '• 🔔 Follow: I tell you about each change. 🔕 Unfollow stops that.',
    '• 💬 Ask the shop: your question goes to whoever ordered, without your name.',
  ],
  trouble: (role) => [
    `• ${b('unconfirmed')}: ${unconfirmedMeans(role)}`,
    `• ${b('not placed')}: I checked, and nothing was charged.`,
    `• ${b('rejected')}: the provider said no. Nothing was charged.`,
    ...(role === null
      ? []
      : [
          role === 'owner'
            ? `• ${b('to review')}: tell me on its card whether you were charged.`
            : `• ${b('to review')}: the owner checks whether it was charged.`,
        ]),
    `• ${b('failed')}: not delivered.${role === 'owner' ? ' I’ll watch for the refund and tell you.' : ''}`,
    `• ${b('(reported)')}: not confirmed by the provider yet. I’m asking.`,
    ...(role === null
      ? []
      : ['', 'Delivered, but nothing arrived? On the card, press ⋯, then 📭 It hasn’t arrived.']),
  ],
}

/** Commands that do something else for agents than for owners; null: agents don’t have the command. Plain text. */
export const agentMenu: Partial<Record<string, string | null>> = {
  connect: 'Connect your own account',
  bundles: 'What you can order, with your prices',
  prices: 'The shop’s price list, to post',
  stats: 'How many of your orders arrived',
  balance: 'What’s left of today’s limit',
  transactions: null,
  export: 'Your orders as a file',
  disconnect: 'Stop ordering with the owner’s wallet',
}

/**
 * The commands in Telegram's menu, each with what it does, the most used first. Every command also works when typed.
 */
export const commandMenu = {
  /** For people without an account. */
  strangers: [
    ['start', 'What I can do for you'],
    ['status', 'Check an order by its reference'],
    ['connect', 'Connect your provider account'],
    ['help', 'How this bot works'],
  ],
  members: [
    ['buy', 'Buy a bundle'],
    ['bulk', 'Order for many numbers'],
    ['orders', 'Your orders'],
    ['balance', 'Wallet balance'],
    ['customers', 'Saved numbers with names'],
    ['prices', 'Your selling prices, and a price list to post'],
    ['bundles', 'Bundles and what you pay'],
    ['status', 'Check an order by its reference'],
    ['stats', 'Profit, spending and deliveries'],
    ['transactions', 'Top-ups, charges and refunds'],
    ['export', 'Orders or transactions as a file'],
    ['agents', 'People who order with your wallet'],
    ['settings', 'Messages, quiet hours and your data'],
    ['cancel', 'Cancel what you’re doing'],
    ['help', 'How this bot works'],
    ['start', 'Home'],
    ['connect', 'Connect another account or a new key'],
    ['disconnect', 'Remove your account from this bot'],
  ],
  operators: [['admin', 'For operators: counts and invitations']],
} as const

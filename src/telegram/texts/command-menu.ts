/** The commands that Telegram’s menu lists, each with what it is for. */

export const commandMenu = {
  everyone: [
    ['start', 'Where you are and what you can do'],
    ['connect', 'Connect your account at the provider'],
    ['status', 'What became of an order'],
    ['help', 'How this bot works'],
    ['buy', 'Buy a bundle'],
    ['bulk', 'Order for many numbers'],
    ['bundles', 'What bundles cost you'],
    ['orders', 'Your orders'],
    ['balance', 'Wallet balance'],
    ['transactions', 'Wallet entries'],
    ['export', 'Orders or wallet entries as a file'],
    ['settings', 'Messages, prices and your data'],
    ['cancel', 'Leave what you are doing'],
    ['disconnect', 'Remove your account from this bot'],
  ],
  /** With an account. */
  members: [
    ['customers', 'Saved numbers with names'],
    ['prices', 'Your selling prices, a list to post'],
    ['stats', 'Profit, spend and deliveries'],
  ],
  owners: [['agents', 'People who order on your wallet']],
  operators: [['admin', 'For operators: counts and invitations']],
} as const

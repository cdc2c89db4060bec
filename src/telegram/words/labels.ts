/** Labels that buttons of several features have. They are plain text, as all labels are. */

export const labels = {
  back: '‹ Back',
  leave: '✖️ Cancel',
  tryAgain: '🔄 Try again',
  confirm: '✅ Confirm',
  cancel: '❌ Cancel',
  refresh: '🔄 Refresh',
  previous: '◀',
  next: '▶',
  home: '🏠 Home',
  copyReference: '📋 Copy reference',
  copyText: '📋 Copy text',
} as const

export const homeLabels = {
  buy: '🛒 Buy a bundle',
  bulk: '📝 Order a list',
  orders: '🧾 Orders',
  balance: '💰 Balance',
  transactions: '↕️ Transactions',
  contacts: '👥 Customers',
  statistics: '📊 Statistics',
  profit: '📊 Profit & more',
  priceList: '🏷 Prices',
  agents: '🤝 Agents',
  settings: '⚙️ Settings',
  help: '❔ Help',
  connect: '🔑 Connect an account',
} as const

/** Said as the buttons for sharing the number go. */
export const keyboardRestored = 'OK.'

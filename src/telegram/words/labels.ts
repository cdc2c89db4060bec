/** Labels of buttons in several features. Like all labels, they are plain text. */

export const labels = {
  back: '‹ Back',
  leave: '✖️ Cancel',
  tryAgain: '🔄 Try again',
  confirm: '✅ Confirm',
  cancel: '❌ Cancel',
  refresh: '🔄 Refresh',
  previous: '◀',
  next: '▶',
  more: '⋯',
  home: '🏠 Home',
  copyText: '📋 Copy text',
  whatsApp: '💬 WhatsApp',
  csv: 'CSV',
} as const

export const homeLabels = {
  buy: '🛒 Buy',
  bulk: '📝 Many numbers',
  orders: '🧾 Orders',
  balance: '💰 Balance',
  transactions: '↕️ Transactions',
  contacts: '👥 Customers',
  sales: '📊 Sales',
  closeDay: '📒 Close the day',
  priceList: '🏷 Prices',
  agents: '🤝 Agents',
  settings: '⚙️ Settings',
  help: '❓ Help',
  more: '☰ More',
  connect: '🔑 Connect an account',
} as const

/** The label of a choice, with a mark if it is the present one. */
export const chosenLabel = (label: string, isChosen: boolean): string => (isChosen ? `✓ ${label}` : label)

/** Sent to remove the buttons that share the person's number, because only a message can remove them. */
export const keyboardRestored = 'OK.'

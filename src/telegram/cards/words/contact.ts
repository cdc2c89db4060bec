import { oneLine } from '../../chat/screen.ts'

/** Labels about saved numbers that are also used on cards. Plain text. */

export const contactLabels = {
  add: '➕ Add',
  search: '🔎 Search',
  import: '📥 Import',
  export: '📤 Export',
  rename: '✏️ Rename',
  delete: '🗑 Delete',
  undo: '↩️ Undo',
  save: '👤 Save',
  buy: '🛒 Buy',
  orders: '🧾 Orders',
  otherNetwork: 'Other network',
  all: '👥 All customers',
} as const

export const contactLabel = (name: string) => `👤 ${oneLine(name, 24)}`

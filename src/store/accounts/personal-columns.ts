/**
 * Which code deletes a table's personal rows, or the personal data in them:
 *
 * | ending | what deletes it |
 * |---|---|
 * | `person` | `personalData.forgetPerson` deletes the rows of that person, or of the chat with them |
 * | `in_part` | `personalData.forgetPerson` deletes part of it, because the rest is still needed |
 * | `books` | `personalData.forgetBooks` deletes the account's rows, as soon as its last owner asks to have it forgotten |
 * | `purchases` | `personalData.erasePurchases` deletes them with their purchase, once no open order needs it |
 * | `account` | `personalData.eraseAccountIfEmpty` deletes them with the account's own row |
 * | `departure` | `accounts.detach` deletes the member |
 * | `row` | the row is deleted because of another of its columns |
 * | `time` | it is deleted when it is sent, handled, used or too old |
 * | `kept` | nothing deletes it: it identifies nobody without the key |
 */
export type Ending =
  | 'person'
  | 'in_part'
  | 'books'
  | 'purchases'
  | 'account'
  | 'departure'
  | 'row'
  | 'time'
  | 'kept'

/**
 * All columns that hold an account, a person, a chat, a number or a person's words, by table, and the code that deletes
 * them. The deletions use this list, and a test compares it with the schema.
 */
export const personalColumns = {
  Account: { id: 'account', accountType: 'account' },
  Member: {
    accountId: 'departure',
    userId: 'departure',
    chatId: 'departure',
    invitedBy: 'in_part',
    name: 'row',
  },
  Shop: { accountId: 'books', name: 'row', phone: 'row', letter: 'row' },
  HiddenBundle: { accountId: 'books' },
  PriceTier: { accountId: 'books' },
  SellingPrice: { accountId: 'books' },
  Preference: { userId: 'person' },
  Contact: { accountId: 'books', agentId: 'person', phone: 'row', name: 'row', nameKey: 'row' },
  PortedNumber: { accountId: 'books', phone: 'row' },
  BookChange: { accountId: 'books', agentId: 'person', entries: 'row' },
  Enquiry: { accountId: 'books', customerChatId: 'in_part', text: 'row' },
  Complaint: { accountId: 'books', orderId: 'purchases', raisedBy: 'in_part', photoId: 'row' },
  Purchase: { accountId: 'purchases', userId: 'row', chatId: 'row', cause: 'row', lines: 'row' },
  List: { purchaseId: 'purchases', text: 'row', answers: 'row', priceSnapshot: 'row' },
  Order: { accountId: 'purchases', userId: 'row', chatId: 'row', ownerChatId: 'row', agentName: 'row' },
  Recipient: { accountId: 'purchases', phone: 'row' },
  StatusReport: { orderId: 'purchases', phone: 'row', body: 'row' },
  Notice: { chatId: 'time', data: 'row' },
  Unanswered: { accountId: 'books', userId: 'person', chatId: 'row', cause: 'row', ask: 'row' },
  Reminder: { accountId: 'books', userId: 'person', phone: 'row', name: 'row' },
  Follow: { orderId: 'purchases', chatId: 'person' },
  Alert: { chatId: 'person' },
  Warning: { purchaseId: 'purchases', orderId: 'purchases', chatId: 'row' },
  Chat: { id: 'in_part' },
  Request: { accountId: 'account' },
  PendingCredential: { chatId: 'person' },
  Session: { key: 'in_part', value: 'row' },
  Invitation: { accountId: 'books', createdBy: 'in_part', usedBy: 'in_part' },
  Fact: { name: 'account', value: 'row' },
  Lease: {},
  KeptUpdate: { id: 'time', sealed: 'time' },
  SecurityEvent: { account: 'kept', actor: 'kept' },
} as const satisfies Record<string, Record<string, Ending>>

export const columnsWith = (ending: Ending): { table: string; column: string }[] =>
  Object.entries(personalColumns).flatMap(([table, columns]) =>
    Object.entries(columns).flatMap(([column, each]) => (each === ending ? [{ table, column }] : [])),
  )

import type { PricelessOrder } from '../../orders/order.ts'
import type { NameFault } from '../../shop/named-number.ts'
import type { BookChange, Customer, Undone } from '../../store/customers.ts'
import { phoneText } from '../phone-text.ts'
import { foreignWord, oneLine } from '../screen.ts'
import { when } from '../time.ts'
import { bundleOf } from './bundle.ts'
import { b, code, lines } from './markup.ts'
import { markOf, statusWord } from './status.ts'

/** The words about saved numbers. */

export const customerLabels = {
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

// Labels of buttons are plain text.
/** `Other MTN`: more bundles of the network that they usually buy. */
export const otherOf = (network: string) => `Other ${oneLine(network, 20)}`
/** A saved number's own button, on an order's card for instance. */
export const customerLabel = (name: string) => `👤 ${oneLine(name, 24)}`
/** Of several who may be meant: the end of the number tells which. */
export const maskedLabel = ({ name, phone }: Pick<Customer, 'name' | 'phone'>) =>
  `${oneLine(name, 18)} •••${phone.slice(-4)}`
/** `Kofi`, or `Kofi …4567` where several of that name stand together. */
export const choiceLabel = ({ name, phone }: Pick<Customer, 'name' | 'phone'>, alone: boolean) =>
  alone ? oneLine(name, 24) : `${oneLine(name, 18)} …${phone.slice(-4)}`
export const openLabel = (index: number) => `Open ${index}`

// ── The book ───────────────────────────────────────────────────────────────────────────────────────────────────

const line = ({ name, phone }: Customer) => `• ${foreignWord(name)} · ${code(phone)}`

export const noCustomers = [
  b('Customers'),
  'No numbers saved yet. Save a number once with a name, then order with just <code>Kofi 5gb</code>.',
  '',
  'To begin:',
  '• send me a contact from your phone (📎 → Contact),',
  `• or press ${b(customerLabels.add)} and type a name and a number,`,
  `• or press ${b(customerLabels.save)} on the card of an order.`,
].join('\n')

/** Whose name is an example that nobody reads wrongly: `Shop 2 5gb` may be. */
const plainest = (shown: readonly Customer[]): Customer | undefined =>
  shown.find(({ name }) => !/\d/.test(name)) ?? shown[0]

export const book = (shown: readonly Customer[], count: number, page: number, pages: number) =>
  [
    `${b('Customers')} · ${count} saved${pages > 1 ? ` · page ${page + 1} of ${pages}` : ''}`,
    '',
    ...shown.map(line),
    '',
    'Press a name to open it. To order, send for example ' +
      `<code>${foreignWord(plainest(shown)?.name ?? 'Kofi')} 5gb</code>.`,
  ].join('\n')

/** The most characters of a search that are looked for. */
export const longestTyped = 60

export const askSearch = 'Which customer? Type part of the name or of the number.'
export const searched = (words: string, found: readonly Customer[], more: boolean) =>
  found.length === 0
    ? `No customer has ${code(words)} in the name or number. Try another part, or ${b(customerLabels.add)} them.`
    : [
        `${b('Customers')} with ${code(words)}`,
        '',
        ...found.map(line),
        ...(more ? ['', 'There are more: type more of the name or number.'] : []),
      ].join('\n')

// ── One customer ───────────────────────────────────────────────────────────────────────────────────────────────

export const customer = (
  { name, phone }: Customer,
  orders: readonly string[],
  usual: { bundle: string; times: number; of: number } | null,
) =>
  lines(
    `👤 ${b(foreignWord(name))}`,
    `Number: ${code(phone)}`,
    usual && usual.times > 1
      ? `Usually buys: ${b(usual.bundle)} (${usual.times} of the last ${usual.of} orders)`
      : null,
    '',
    ...(orders.length === 0
      ? ['No orders for this number yet.']
      : [b(orders.length === 1 ? 'Last order' : 'Last orders'), ...orders]),
  )

/** An order on the screen of the customer whose number it has. */
export const orderOf = (order: PricelessOrder, phone: string, index: number, now: Date) => {
  const own = order.recipients.find((recipient) => recipient.phone === phone)
  const status = own?.status ? foreignWord(own.status) : statusWord(order)
  return `${index}. ${markOf(order)} ${bundleOf(order)} · ${status} · ${when(order.createdAt, now)}`
}

export const gone = 'This customer is not in your book any more.'
export const chooseNetworkFor = ({ name, phone }: Customer) => `For ${phoneText(phone, name)}: which network?`
export const chooseUsual = ({ name, phone }: Customer, stillSold: boolean) =>
  stillSold
    ? `For ${phoneText(phone, name)}: the same as usual, or another bundle?`
    : `For ${phoneText(phone, name)}: what they usually buy is no longer sold. Which bundle?`

// ── Saving ─────────────────────────────────────────────────────────────────────────────────────────────────────

export const askNew = [
  b('Add a customer'),
  'Send the name and the number in one message, for example <code>Kofi 0241234567</code>. Several? One a line.',
  '',
  'Or send a contact from your phone (📎 → Contact).',
].join('\n')

export const askImport = [
  b('Import customers'),
  'Send one of these:',
  '• lines with a name and a number: <code>Kofi 0241234567</code>',
  '• a file with such lines or columns (.csv, .xlsx, .txt)',
  '• contacts from your phone (📎 → Contact), as many as you like',
  '',
  'Numbers that you have saved already get the new name.',
].join('\n')

export const askName = (phone: string) =>
  `What is the name of ${code(phone)}? Send just the name, for example <code>Kofi</code>.`
export const askRename = ({ name, phone }: Customer) =>
  `What is the new name of ${phoneText(phone, name)}? Send just the name.`
export const notAName =
  'I need a name with at least one letter, for example <code>Kofi</code>. Nothing was saved. Send it again, or /cancel.'
export const numberNotName = (phone: string) =>
  `That has a number in it. Send just the name of ${code(phone)}, for example <code>Kofi</code>, or /cancel.`

export const savedOne = ({ name, phone }: Pick<Customer, 'name' | 'phone'>) =>
  `✅ Saved: ${phoneText(phone, name)}\nTo order, send for example <code>${foreignWord(name)} 5gb</code>.`
export const renamedOne = ({ name, phone }: Pick<Customer, 'name' | 'phone'>) =>
  `✅ ${code(phone)} is now saved as ${b(foreignWord(name))}.`
export const knownOne = ({ name, phone }: Pick<Customer, 'name' | 'phone'>) =>
  `${phoneText(phone, name)} was saved already. Nothing changed.`
export const bookFull = (most: number) =>
  `Your book is full: it holds ${most.toLocaleString('en')} numbers. Nothing was saved. Delete some, then try again.`

export const notGhanaian = (name: string, written: string) =>
  `${foreignWord(name) || 'This contact'} was not saved: ${code(written, 40)} is not a Ghanaian mobile number.`

/** A line of what was sent that was not saved. */
interface BadLine {
  line: number
  text: string
  fault: NameFault
}

const faults: Record<NameFault, string> = {
  no_number: 'no number in it',
  bad_number: 'not a Ghanaian mobile number',
  two_numbers: 'two numbers in it: put each on a line of its own',
  no_name: 'no name beside the number',
}

/** The most lines that are named one by one. */
const mostNamed = 12

const badLines = (bad: readonly BadLine[]): string[] =>
  bad.length === 0
    ? []
    : [
        '',
        `⚠️ Not saved: ${bad.length === 1 ? '1 line' : `${bad.length} lines`} that I could not read`,
        ...bad
          .slice(0, mostNamed)
          .map(({ line, text, fault }) => `• line ${line}, ${code(text, 40)}: ${faults[fault]}`),
        ...(bad.length > mostNamed ? [`• and ${bad.length - mostNamed} more`] : []),
      ]

export const imported = (change: Omit<BookChange, 'id'>, bad: readonly BadLine[], most: number) => {
  const count = (numbers: readonly unknown[], one: string) =>
    numbers.length === 0 ? null : `${one}: ${numbers.length}`
  const nothing = change.saved.length + change.renamed.length === 0
  return lines(
    nothing ? 'Nothing new was saved.' : '✅ Done.',
    count(change.saved, 'Saved'),
    count(change.renamed, 'Renamed'),
    count(change.unchanged, 'Already saved, unchanged'),
    change.left.length === 0
      ? null
      : `⚠️ No room for: ${change.left.length} (a book holds ${most.toLocaleString('en')} numbers)`,
    ...badLines(bad),
  )
}

export const nothingToImport =
  'I found no names with numbers in that. Nothing was saved. Send lines like <code>Kofi 0241234567</code>, or /cancel.'

export const nothingInFile =
  'I found no names with numbers in that file. Nothing was saved. It needs a name and a number on each line.'

export const deleted = ({ name, phone }: Customer) =>
  `🗑 Deleted: ${phoneText(phone, name)}. Orders for this number stay as they are.`
export const undone = ({ back, removed, kept }: Undone) =>
  [
    back.length + removed.length === 0 ? '↩️ There was nothing to undo.' : '↩️ Undone.',
    ...undoneFor(removed, 'not saved any more'),
    ...undoneFor(back, 'saved as before'),
    ...(kept > 0
      ? [
          `${kept === 1 ? '1 was' : `${kept} were`} changed again since, and left as ${kept === 1 ? 'it is' : 'they are'}.`,
        ]
      : []),
  ].join('\n')

const undoneFor = (numbers: Undone['back'], how: string): string[] => {
  const [only, more] = numbers
  if (!only) return []
  return [more ? `${numbers.length} numbers are ${how}.` : `${phoneText(only.phone, only.name)} is ${how}.`]
}
export const undoneToast = 'Undone'
export const tooLateToUndo = 'That was undone already, or is too long ago. Nothing changed.'

// ── Export ─────────────────────────────────────────────────────────────────────────────────────────────────────

export const exportColumns = ['Name', 'Number'] as const
export const exportFile = (day: string) => `customers-${day}.csv`
export const exportCaption = (count: number) =>
  `${count === 1 ? '1 customer' : `${count} customers`}, by name. Import takes this file again.`
export const exporting = 'Export'
export const nothingToExport = 'No customers are saved yet.'

// ── Ordering by name ───────────────────────────────────────────────────────────────────────────────────────────

export const whichOne = (written: string, bundle: string) =>
  `You have saved more than one ${b(foreignWord(written))}. Who gets ${b(foreignWord(bundle))}?`
export const manyOfThat = 'There are more: type more of the name.'
export const nobodySaved = (written: string) =>
  `No customer is saved as ${b(foreignWord(written))}. Nothing was ordered.\n\nTo save them, send the name with the number: <code>${foreignWord(written)} 0241234567</code>. To order now, send the number and the size: <code>0241234567 5GB</code>.`
export const unknownNames = (problems: readonly { line: number; written: string; many: boolean }[]) =>
  [
    'Nothing was ordered: I do not know whom you mean.',
    ...problems
      .slice(0, mostNamed)
      .map(({ line, written, many }) =>
        many
          ? `• line ${line}: more than one ${b(foreignWord(written))}`
          : `• line ${line}: no customer called ${b(foreignWord(written))}`,
      ),
    ...(problems.length > mostNamed ? [`• and ${problems.length - mostNamed} more`] : []),
    '',
    'Write the number in place of each of these names, and send it all again.',
  ].join('\n')

/** Below the question for a number, where customers are offered. */
export const orTypeName = 'Or press a customer, type a saved name, or send a contact.'
export const whoAtNumber = (written: string) => `Which ${b(foreignWord(written))} gets it?`
export const nobodyAtNumber = (written: string) =>
  `No customer is saved as ${b(foreignWord(written))}. Send the number, for example <code>0241234567</code>, or /cancel.`

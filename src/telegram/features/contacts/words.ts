import type { PricelessOrder } from '../../../domain/order/order.ts'
import type { NameFault } from '../../../lists/names/named-number.ts'
import { phoneEnd } from '../../../provider/phone.ts'
import type { BookChange, Contact, Undone } from '../../../store/shop/contacts.ts'
import { contactLabels } from '../../cards/words/contact.ts'
import { foreignWord, oneLine } from '../../chat/screen.ts'
import { when } from '../../chat/time.ts'
import { bundleOf } from '../../words/bundle.ts'
import { exampleOrder, exampleSize } from '../../words/hints.ts'
import { b, code, counted, grouped, lines } from '../../words/markup.ts'
import { phoneText } from '../../words/numbers.ts'
import { orderMark, statusWord } from '../../words/order-state.ts'

// Labels of buttons. Plain text.
/** `More MTN`: more bundles of the contact's usual network. */
export const otherOf = (network: string) => `More ${oneLine(network, 20)}`

/** `Kofi`, or `Kofi •••4567` if several contacts have that name. */
export const choiceLabel = ({ name, phone }: Pick<Contact, 'name' | 'phone'>, alone: boolean) =>
  alone ? oneLine(name, 24) : `${oneLine(name, 18)} ${phoneEnd(phone)}`

// ── The contact book ────────────────────────────────────────────────────────────────────────────────────────────────

const line = ({ name, phone }: Contact) => `• ${foreignWord(name)} · ${phoneText(phone)}`

export const noContacts = [
  b('Customers'),
  `No numbers saved yet. Save a number with a name, then order with just <code>Kofi ${exampleSize}</code>.`,
  `Send a contact from your phone (📎 → Contact), or press ${b(contactLabels.add)}. Or press ${b(contactLabels.save)} on an order.`,
].join('\n')

/**
 * A contact to use in an example, if possible one without a digit in the name: the 2 in `Shop 2 5gb` could be misread.
 */
const plainest = (shown: readonly Contact[]): Contact | undefined =>
  shown.find(({ name }) => !/\d/.test(name)) ?? shown[0]

export const book = (shown: readonly Contact[], count: number, page: number, pages: number) =>
  [
    `${b('Customers')} · ${grouped(count)} saved${pages > 1 ? ` · page ${page + 1} of ${pages}` : ''}`,
    '',
    ...shown.map(line),
    '',
    'Press a name to open it. To order, send ' +
      `<code>${foreignWord(plainest(shown)?.name ?? 'Kofi')} ${exampleSize}</code>.`,
  ].join('\n')

/** The heading above what can be done with the whole contact book. */
export const bookMenu = (count: number) => `${b('Customers')} · ${grouped(count)} saved`

/** The longest search text, in characters. */
export const maxTypedLength = 60

export const askSearch = 'Which customer? Send part of the name or number.'

export const searched = (words: string, found: readonly Contact[], more: boolean) =>
  found.length === 0
    ? `No customer found for ${code(words)}. Try another part of the name or number, or press ${b(contactLabels.add)}.`
    : [
        `${b('Customers')} matching ${code(words)}`,
        '',
        ...found.map(line),
        ...(more
          ? ['', `There are more. Press ${b(contactLabels.search)} and send more of the name or number.`]
          : []),
      ].join('\n')

// ── One customer ───────────────────────────────────────────────────────────────────────────────────────────────
export const contact = (
  { name, phone }: Contact,
  orders: readonly string[],
  usual: { bundle: string; times: number; of: number } | null,
) =>
  lines(
    `👤 ${b(foreignWord(name))}`,
    `Number: ${phoneText(phone)}`,
    usual && usual.times > 1
      ? `Usually buys: ${b(usual.bundle)} (${usual.times} of the last ${usual.of} orders)`
      : null,
    '',
    ...(orders.length === 0
      ? ['No orders for this number yet.']
      : [b(orders.length === 1 ? 'Last order' : 'Recent orders'), ...orders]),
  )

export const orderOf = (order: PricelessOrder, phone: string, now: Date) => {
  const own = order.recipients.find((recipient) => recipient.phone === phone)
  const status = own?.status ? foreignWord(own.status) : statusWord(order)
  return `${orderMark(order)} ${bundleOf(order)} · ${status} · ${when(order.createdAt, now)}`
}

export const gone = 'This customer is no longer saved.'

export const chooseNetworkFor = ({ name, phone }: Contact) => `Which network for ${phoneText(phone, name)}?`

export const chooseUsual = ({ name, phone }: Contact, stillSold: boolean) =>
  stillSold
    ? `The usual for ${phoneText(phone, name)}, or another bundle?`
    : `The usual for ${phoneText(phone, name)} is no longer sold. Which bundle instead?`

// ── Saving contacts ─────────────────────────────────────────────────────────────────────────────────────────────────
export const askNew = [
  b('Add a customer'),
  'Send a name and a number, for example <code>Kofi 0241234567</code>. To add several, put each on its own line.',
  'Or send a contact from your phone (📎 → Contact).',
].join('\n')

export const askImport = [
  b('Import customers'),
  'Send names and numbers, one customer per line: <code>Kofi 0241234567</code>. Or send a file (.csv, .xlsx, .txt), or contacts from your phone (📎 → Contact).',
  'A number that’s already saved gets the new name.',
].join('\n')

export const askName = (phone: string) =>
  `Who is ${phoneText(phone)}? Send just the name, for example <code>Kofi</code>.`

export const askRename = ({ name, phone }: Contact) => `Send a new name for ${phoneText(phone, name)}.`

export const notAName =
  'A name needs at least one letter, for example <code>Kofi</code>. Nothing was saved. Send another name, or /cancel.'

export const numberNotName = (phone: string) =>
  `That has a number in it. Send just the name for ${phoneText(phone)}, for example <code>Kofi</code>, or /cancel.`

export const savedOne = ({ name, phone }: Pick<Contact, 'name' | 'phone'>) =>
  `✅ Saved: ${phoneText(phone, name)}\nTo order, send <code>${foreignWord(name)} ${exampleSize}</code>.`

export const renamedOne = ({ name, phone }: Pick<Contact, 'name' | 'phone'>) =>
  `✅ ${phoneText(phone)} is now saved as ${b(foreignWord(name))}.`

export const knownOne = ({ name, phone }: Pick<Contact, 'name' | 'phone'>) =>
  `${phoneText(phone, name)} is already saved.`

export const namesKnown = 'These names are already saved.'

export const bookFull = (most: number) =>
  `You can’t save more than ${grouped(most)} numbers. Nothing was saved. Delete some, then try again.`

export const notGhanaian = (name: string, written: string) =>
  `${foreignWord(name) || 'This contact'} wasn’t saved: ${code(written, 40)} isn’t a Ghanaian mobile number.`

/** A line that was not saved. */
interface BadLine {
  line: number
  text: string
  fault: NameFault
}

const faults: Record<NameFault, string> = {
  no_number: 'no number in it',
  bad_number: 'not a Ghanaian mobile number',
  two_numbers: 'two numbers in it; put each on its own line',
  no_name: 'no name next to the number',
}

/** How many bad lines a message names. */
const maxNamed = 12

const badLines = (bad: readonly BadLine[]): string[] =>
  bad.length === 0
    ? []
    : [
        '',
        `⚠️ Not saved: ${counted(bad.length, 'line', 'lines')} I couldn’t read`,
        ...bad
          .slice(0, maxNamed)
          .map(({ line, text, fault }) => `• line ${line}, ${code(text, 40)}: ${faults[fault]}`),
        ...(bad.length > maxNamed ? [`• and ${bad.length - maxNamed} more`] : []),
      ]

export const imported = (change: Omit<BookChange, 'id'>, bad: readonly BadLine[], most: number) => {
  const count = (numbers: readonly unknown[], one: string) =>
    numbers.length === 0 ? null : `${one}: ${grouped(numbers.length)}`
  const nothing = change.saved.length + change.renamed.length === 0
  return lines(
    nothing ? 'Nothing new was saved.' : '✅ Done.',
    count(change.saved, 'Saved'),
    count(change.renamed, 'Renamed'),
    count(change.unchanged, 'Already saved, unchanged'),
    change.left.length === 0
      ? null
      : `⚠️ No room for ${grouped(change.left.length)}: you can save up to ${grouped(most)} numbers.`,
    ...badLines(bad),
  )
}

export const nothingToImport =
  'I found no names with numbers in that. Nothing was saved. Send lines like <code>Kofi 0241234567</code>, or /cancel.'

export const nothingInFile =
  'I found no names with numbers in that file. Nothing was saved. Each line needs a name and a number.'

export const deleted = ({ name, phone }: Contact) =>
  `🗑 Deleted: ${phoneText(phone, name)}. Their orders are kept.`

export const undone = ({ back, removed, kept }: Undone) =>
  [
    back.length + removed.length === 0 ? '↩️ Nothing to undo.' : '↩️ Undone.',
    ...undoneFor(removed, 'no longer saved'),
    ...undoneFor(back, 'saved as before'),
    ...(kept > 0
      ? [
          `${kept} ${kept === 1 ? 'number has changed since, so I left it alone' : 'numbers have changed since, so I left them alone'}.`,
        ]
      : []),
  ].join('\n')

const undoneFor = (numbers: Undone['back'], how: string): string[] => {
  const [only, more] = numbers
  if (!only) return []
  return [
    more
      ? `${grouped(numbers.length)} numbers are ${how}.`
      : `${phoneText(only.phone, only.name)} is ${how}.`,
  ]
}

export const undoneToast = 'Undone'

export const tooLateToUndo = 'Already undone, or too late. Nothing changed.'

export const exportCaption = (count: number) =>
  `${counted(count, 'customer', 'customers')}, sorted by name. You can import this file again.`

export const exporting = 'Making your file…'

export const nothingToExport = 'No customers saved yet.'

// ── Ordering by name ───────────────────────────────────────────────────────────────────────────────────────────
export const whichOne = (written: string, bundle: string) =>
  `You’ve saved more than one ${b(foreignWord(written))}. Who gets ${b(foreignWord(bundle))}?`

export const manyOfThat = 'There are more. Send the order again with more of the name.'

export const nobodySaved = (written: string) =>
  `I don’t know “${foreignWord(written)}”. Nothing was ordered.\nTo save them, send their number, like <code>0241234567</code>. To order, send a number and a size: <code>${exampleOrder}</code>.`

/** Asked if saved names are one typing slip away from the written one. */
export const didYouMean = (written: string, names: readonly string[]) =>
  `I don’t know “${foreignWord(written)}”. Did you mean ${names.map((name) => b(foreignWord(name))).join(' or ')}?`

export const whoAtNumber = (written: string) => `Who do you mean by ${b(foreignWord(written))}?`

export const nobodyAtNumber = (written: string) =>
  `I don’t know “${foreignWord(written)}”. Send the number, for example <code>0241234567</code>, or /cancel.`

export const bookFileName = 'customers'

export const bookSheetName = 'Customers'

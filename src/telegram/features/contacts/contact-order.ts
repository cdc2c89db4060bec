import { commandMeant } from '../../../lists/command-words.ts'
import { nameKey } from '../../../lists/names/contact-name.ts'
import type { NamedRequest } from '../../../lists/names/named-request.ts'
import { isOneSlip } from '../../../lists/reading/one-slip.ts'
import { recognize } from '../../../lists/recognition.ts'
import { writtenSize } from '../../../lists/size.ts'
import { whoIsMeant } from '../../../orders/buying/contact-lookup.ts'
import type { Person } from '../../../orders/buying/purchases.ts'
import { bookOf, type Contact, maxContacts } from '../../../store/shop/contacts.ts'
import type { ActOf } from '../../buttons/table.ts'
import type { BotContext } from '../../chat/context.ts'
import { personOf } from '../../chat/person.ts'
import { type Button, inRows, leaveButton } from '../../chat/screen.ts'
import type { Services } from '../../chat/services.ts'
import { buyByText } from '../buying/typed-order.ts'
import type { TextReader } from '../feature.ts'
import { contactsButton } from './contacts-button.ts'
import { askNumber } from './saving-contacts.ts'
import * as words from './words.ts'

/** How many contacts are offered for a name that is not clear. */
const maxOffered = 6

interface Meant {
  found: Contact[]
  network: string | null
}

/** The contacts that a request means. Its possible readings are tried in turn until one finds a contact. */
export const meantBy = async (
  { store }: Services,
  person: Person,
  { readings }: Pick<NamedRequest, 'readings'>,
): Promise<Meant> => {
  for (const { key, network } of readings) {
    const found = await whoIsMeant(store.contacts, bookOf(person), key, maxOffered + 1)
    if (found.length > 0) return { found, network }
  }
  return { found: [], network: null }
}

/** `Kofi 5gb`: shows the card for Kofi's saved number. */
export const orderByName: TextReader = async (ctx, { text }) => {
  const person = await personOf(ctx)
  const meant = recognize(text)
  if (!person || meant.kind !== 'named' || !meant.request.size) return false
  const { request, isName } = meant
  const { found, network } = await meantBy(ctx.services, person, request)
  const [only, more] = found
  const size = writtenSize(meant.request.size)
  if (only && !more) {
    await orderForContact(ctx, person, only, { size, network: network ?? '' })
    return true
  }
  if (only) {
    askWhom(ctx, request, found, { size, network: network ?? '' })
    return true
  }
  if (!isName || commandMeant(text)) return false
  const likely = await likeNamed(ctx.services, person, request)
  if (likely.length > 0) {
    const text = words.didYouMean(
      request.written,
      likely.map(({ name }) => name),
    )
    ctx.talk.say({ text, rows: [...choiceRows(likely, { size, network: '' }), [leaveButton]] })
    return true
  }
  await askNumber(ctx, request.written)
  return true
}

type Wanted = Pick<Extract<ActOf<'contacts'>, { act: 'meant' }>, 'size' | 'network'>

const askWhom = (ctx: BotContext, request: NamedRequest, found: readonly Contact[], wanted: Wanted): void => {
  const text = [
    words.whichOne(request.written, [wanted.network, wanted.size].filter(Boolean).join(' ')),
    ...(found.length > maxOffered ? [words.manyOfThat] : []),
  ].join('\n')
  ctx.talk.say({ text, rows: choiceRows(found, wanted) })
}

const choiceRows = (found: readonly Contact[], wanted: Wanted): Button[][] => {
  const buttons = found
    .slice(0, maxOffered)
    .map((contact) =>
      contactsButton(words.choiceLabel(contact, false), { act: 'meant', id: contact.id, ...wanted }),
    )
  return inRows(buttons, 2)
}

/** How many contacts with a similar name are offered. */
const maxLikely = 3

/** The contacts whose names are one typing slip away from the written one. */
const likeNamed = async (
  { store }: Services,
  person: Person,
  { readings }: Pick<NamedRequest, 'readings'>,
): Promise<Contact[]> => {
  const keys = readings.map(({ key }) => key).filter(({ length }) => length > 2)
  const all = keys.length > 0 ? await store.contacts.page(bookOf(person), 0, maxContacts) : []
  return all.filter(({ name }) => keys.some((key) => isOneSlip(nameKey(name), key))).slice(0, maxLikely)
}

/** Continues as if the person had written the number instead of the name. */
export const orderForContact = async (
  ctx: BotContext,
  person: Person,
  { phone }: Contact,
  { size, network }: Wanted,
): Promise<void> => {
  await buyByText(ctx, person, `${phone} ${size} ${network}`.trim())
}

import { commandMeant } from '../../../lists/command-words.ts'
import type { NamedRequest } from '../../../lists/names/named-request.ts'
import { recognize } from '../../../lists/recognition.ts'
import { writtenSize } from '../../../lists/size.ts'
import { whoIsMeant } from '../../../orders/buying/customer-lookup.ts'
import type { Person } from '../../../orders/buying/purchases.ts'
import { bookOf, type Customer } from '../../../store/shop/customers.ts'
import type { ActOf } from '../../buttons/button.ts'
import type { BotContext } from '../../chat/context.ts'
import { personOf } from '../../chat/person.ts'
import { key } from '../../chat/screen.ts'
import type { Services } from '../../chat/services.ts'
import * as words from '../../words/customer.ts'
import { buyByText } from '../buying/typed-order.ts'
import { inTwos } from './customer-choice.ts'
import { askNumber } from './saving-customers.ts'

/** The most customers offered for an ambiguous name. */
const maxOffered = 8

interface Meant {
  found: Customer[]
  network: string | null
}

/** The customers meant by a request, from the first reading that finds a saved one. */
const meantBy = async (
  { store }: Services,
  person: Person,
  { readings }: Pick<NamedRequest, 'readings'>,
): Promise<Meant> => {
  for (const { key, network } of readings) {
    const found = await whoIsMeant(store.customers, bookOf(person), key, maxOffered + 1)
    if (found.length > 0) return { found, network }
  }
  return { found: [], network: null }
}

/** `Kofi 5gb`: the card for Kofi's saved number. @returns false if the text is no such request. */
export const orderByName = async (ctx: BotContext, services: Services, text: string): Promise<boolean> => {
  const person = await personOf(ctx, services)
  const meant = recognize(text)
  if (!person || meant.kind !== 'named' || !meant.request.size) return false
  const { request, isName } = meant
  const { found, network } = await meantBy(services, person, request)
  const [only, more] = found
  const size = writtenSize(meant.request.size)
  if (only && !more) {
    await orderForCustomer(ctx, services, person, only, { size, network: network ?? '' })
    return true
  }
  if (only) {
    askWhom(ctx, request, found, { size, network: network ?? '' })
    return true
  }
  if (!isName || commandMeant(text)) return false
  await askNumber(ctx, request.written)
  return true
}

type Wanted = Pick<Extract<ActOf<'customers'>, { act: 'meant' }>, 'size' | 'network'>

const askWhom = (
  ctx: BotContext,
  request: NamedRequest,
  found: readonly Customer[],
  wanted: Wanted,
): void => {
  const keys = found.slice(0, maxOffered).map((customer) =>
    key(words.maskedLabel(customer), {
      do: 'customers',
      act: { act: 'meant', id: customer.id, ...wanted },
    }),
  )
  const text = [
    words.whichOne(request.written, [wanted.network, wanted.size].filter(Boolean).join(' ')),
    ...(found.length > maxOffered ? [words.manyOfThat] : []),
  ].join('\n')
  ctx.talk.say({ text, rows: inTwos(keys) })
}

/** As if the number had been written instead of the name. */
export const orderForCustomer = async (
  ctx: BotContext,
  services: Services,
  person: Person,
  { phone }: Customer,
  { size, network }: Wanted,
): Promise<void> => {
  await buyByText(ctx, services, person, `${phone} ${size} ${network}`.trim())
}

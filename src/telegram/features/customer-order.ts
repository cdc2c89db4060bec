import { readPhone } from '../../lists/phone.ts'
import { linesOf } from '../../lists/plain.ts'
import { readRequest } from '../../lists/request.ts'
import type { Size } from '../../lists/size.ts'
import type { Person } from '../../orders/purchases.ts'
import { cleanName, nameKey } from '../../shop/customer-name.ts'
import { type NamedRequest, readNamedLines, readNamedRequest } from '../../shop/named-request.ts'
import { whoIsMeant } from '../../shop/whom.ts'
import { bookOf, type Customer } from '../../store/customers.ts'
import type { CustomerAct } from '../buttons/customer.ts'
import type { BotContext, Question } from '../context.ts'
import { personOf } from '../person.ts'
import { key } from '../screen.ts'
import type { Services } from '../services.ts'
import * as words from '../texts/customer.ts'
import { buyByText } from './buy.ts'
import { inTwos } from './customer-choice.ts'

/** The most who are offered where several may be meant. */
const mostOffered = 8

interface Meant {
  found: Customer[]
  network: string | null
}

/** Whom a request by name means, by the first of its readings under which somebody is saved. */
const meantBy = async (
  { store }: Services,
  person: Person,
  { readings }: Pick<NamedRequest, 'readings'>,
): Promise<Meant> => {
  for (const { key, network } of readings) {
    const found = await whoIsMeant(store.customers, bookOf(person), key, mostOffered + 1)
    if (found.length > 0) return { found, network }
  }
  return { found: [], network: null }
}

const sizeText = ({ amount, unit }: Size): string => `${amount}${unit}`

/** `Kofi 5gb`: the card for the number that is saved as Kofi. @returns false where the text is no such thing. */
export const orderByName = async (ctx: BotContext, services: Services, text: string): Promise<boolean> => {
  const person = await personOf(ctx, services)
  const request = person && readNamedRequest(text)
  if (!request) return false
  const { found, network } = await meantBy(services, person, request)
  const [only, more] = found
  const size = sizeText(request.size)
  if (only && !more) {
    await orderForCustomer(ctx, services, person, only, { size, network: network ?? '' })
    return true
  }
  if (only) {
    askWhom(ctx, request, found, { size, network: network ?? '' })
    return true
  }
  if (!request.hasUnit) return false
  const add = key(words.customerLabels.add, { do: 'customers', act: { act: 'add' } })
  ctx.talk.say({ text: words.nobodySaved(request.written), rows: [[add]] })
  return true
}

type Wanted = Pick<Extract<CustomerAct, { act: 'meant' }>, 'size' | 'network'>

const askWhom = (
  ctx: BotContext,
  request: NamedRequest,
  found: readonly Customer[],
  wanted: Wanted,
): void => {
  const keys = found.slice(0, mostOffered).map((customer) =>
    key(words.maskedLabel(customer), {
      do: 'customers',
      act: { act: 'meant', id: customer.id, ...wanted },
    }),
  )
  const text = [
    words.whichOne(request.written, [wanted.network, wanted.size].filter(Boolean).join(' ')),
    ...(found.length > mostOffered ? [words.manyOfThat] : []),
  ].join('\n')
  ctx.talk.say({ text, rows: inTwos(keys) })
}

/** As if the number had been written in place of the name. */
export const orderForCustomer = async (
  ctx: BotContext,
  services: Services,
  person: Person,
  { phone }: Customer,
  { size, network }: Wanted,
): Promise<void> => {
  await buyByText(ctx, services, person, `${phone} ${size} ${network}`.trim())
}

type WithNumbers =
  /** The text as it is to be read. */
  | { kind: 'text'; text: string }
  /** It names people who are not known, and nothing else: that was said. */
  | { kind: 'said' }

/**
 * A list by names: each is replaced by its number, so that it is read like any list. Beside other lines a name above
 * a number may be a heading, and stays; a name that is not known stays too, and the list says that its number is
 * missing.
 */
export const withNumbers = async (
  ctx: BotContext,
  services: Services,
  question: Question | null,
  text: string,
): Promise<WithNumbers> => {
  const person = await personOf(ctx, services)
  const named: NamesOfLines | null =
    question?.what === 'list' ? namesAlone(text) : readNamedLines(text, (line) => readRequest(line) !== null)
  if (!person || !named) return { kind: 'text', text }
  const lines = linesOf(text)
  const problems: { line: number; written: string; many: boolean }[] = []
  const isMixed = named.others > 0 || named.odd > 0
  for (const { line, request } of named.requests) {
    if (isMixed && headsNumber(lines, line)) continue
    const { found, network } = await meantBy(services, person, request)
    const [only, more] = found
    if (only && !more) {
      const size = request.size ? sizeText(request.size) : ''
      lines[line] = `${only.phone} ${size} ${network ?? ''}`.trim()
    } else problems.push({ line: line + 1, written: request.written, many: only !== undefined })
  }
  // Where no name is known it is nobody's list.
  const isNobodys = question?.what === 'list' && problems.length === named.requests.length
  if (problems.length === 0 || isMixed || isNobodys) return { kind: 'text', text: lines.join('\n') }
  ctx.talk.say(words.unknownNames(problems))
  return { kind: 'said' }
}

/** The next line is a number without a size. */
const headsNumber = (lines: readonly string[], line: number): boolean => {
  const next = lines.slice(line + 1).find((words) => words.trim() !== '') ?? ''
  return /\d{7}/.test(next.replace(/[\s().-]/g, '')) && readRequest(next) === null
}

interface NamesOfLines {
  requests: { line: number; request: Pick<NamedRequest, 'written' | 'readings'> & { size?: Size } }[]
  others: number
  odd: number
}

/** Names where numbers were asked for, whose bundle is known. */
const namesAlone = (text: string): NamesOfLines | null => {
  const requests: NamesOfLines['requests'] = []
  let others = 0
  for (const [line, written] of linesOf(text).entries()) {
    if (written.trim() === '') continue
    const name = /\d{5}/.test(written) ? null : cleanName(written)
    if (name)
      requests.push({ line, request: { written: name, readings: [{ key: nameKey(name), network: null }] } })
    else if (readPhone(written)) others += 1
    else return null
  }
  return requests.length > 0 && requests.length <= mostNames ? { requests, others, odd: 0 } : null
}

/** A list by names is typed by hand. */
const mostNames = 300

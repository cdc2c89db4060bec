import type { ListedBundle } from '../../../lists/meaning/listed-bundle.ts'
import { readList } from '../../../lists/read-list.ts'
import { defaultPrefixes, readPhone } from '../../../lists/read-phone.ts'
import type { Problem } from '../../../lists/reading-result.ts'
import { likelyNetworks } from '../../../orders/buying/likely-network.ts'
import type { Person } from '../../../orders/buying/purchases.ts'
import type { Phone } from '../../../provider/index.ts'
import { bookOf } from '../../../store/shop/contacts.ts'
import type { ButtonPress } from '../../buttons/table.ts'
import type { Asker } from '../../chat/context.ts'
import { button, inRows, leaveButton, type Screen } from '../../chat/screen.ts'
import type { Services } from '../../chat/services.ts'
import { spaced } from '../../words/numbers.ts'
import { askAbout } from './ask-about.ts'
import { hasSize } from './bundle-screens.ts'
import { withPrices } from './priced-bundles.ts'
import { mistyped } from './words.ts'

/** A single order whose number has a wrong number of digits, or a letter among them. */
interface Mistyped {
  written: string
  /** The numbers that the person may have meant. Whether any of them is known has not been looked up yet. */
  possible: Phone[]
}

/** How many numbers have a button. */
const maxOffered = 4

/**
 * Says what is wrong with the number of a single order, with the likely numbers as buttons.
 * @returns false if something else is wrong, too, so that the text has to be read as a list.
 */
export const askRightNumber = (ctx: Asker, person: Person, text: string): boolean => {
  const found = mistypedIn(text)
  if (!found) return false
  withPrices(ctx, person, async (bundles) => {
    const screen = await numberScreen(ctx.services, person, bundles, { ...found, text })
    askAbout(ctx, { text }, screen)
  })
  return true
}

const mistypedIn = (text: string): Mistyped | null => {
  const { lines } = readList(text, { bundles: [], prefixes: defaultPrefixes, fixedBundleId: null })
  const [problem, another] = lines.flatMap(({ problems }) => problems).filter(({ code }) => code !== 'asked')
  if (!problem || another || lines.some(({ written }) => written.length > 0)) return null
  switch (problem.code) {
    case 'phone_short':
    case 'phone_long':
      return { written: problem.written, possible: possibleFor(problem) }
    case 'phone_damaged': {
      const phone = problem.suggestion && readPhone(problem.suggestion)?.phone
      return { written: problem.written, possible: phone ? [phone] : [] }
    }
    default:
      return null
  }
}

/** The numbers with one digit less, or one more, than was written. */
const possibleFor = ({
  code,
  written,
}: Extract<Problem, { code: 'phone_short' | 'phone_long' }>): Phone[] => {
  const digits = written.replace(/\D/g, '')
  const places = Array.from({ length: digits.length + 1 }, (_, place) => place).reverse()
  const texts =
    code === 'phone_long'
      ? places.map((place) => digits.slice(0, place) + digits.slice(place + 1))
      : places.flatMap((place) =>
          [...'0123456789'].map((digit) => digits.slice(0, place) + digit + digits.slice(place)),
        )
  const phones = texts.flatMap((each) => (each.length === 10 ? (readPhone(each)?.phone ?? []) : []))
  return [...new Set(phones)]
}

const numberScreen = async (
  services: Services,
  person: Person,
  bundles: ListedBundle[],
  { written, possible, text }: Mistyped & { text: string },
): Promise<Screen> => {
  const phones = await likeliest(services, person, possible, written)
  const buttons = await Promise.all(
    phones.map(async (phone) => {
      const likely = await likelyNetworks(services.store, person.accountId, phone)
      return button(spaced(phone), pressFor(bundles, phone, likely, text.replace(written, phone)))
    }),
  )
  return { text: mistyped(written, buttons.length > 0), rows: [...inRows(buttons, 2), [leaveButton]] }
}

/**
 * Known numbers first, then unknown ones if the written number has a digit too many. If a digit is missing, unknown
 * numbers are not offered, because it could be any digit in any place.
 */
const likeliest = async (
  { store }: Services,
  person: Person,
  possible: Phone[],
  written: string,
): Promise<Phone[]> => {
  const [first, ...others] = possible
  if (!first) return []
  const known = await store.knownNumbers.familiar(bookOf(person), first, others)
  const isShort = written.replace(/\D/g, '').length < 10
  const unknown = isShort ? [] : possible.filter((phone) => !known.includes(phone))
  return [...known, ...unknown].slice(0, maxOffered)
}

/** Orders the written size for the number if one bundle fits; else shows the network's bundles, or the networks. */
const pressFor = (
  bundles: ListedBundle[],
  phone: Phone,
  likely: readonly string[],
  corrected: string,
): ButtonPress => {
  const anywhere = { bundles: [], prefixes: defaultPrefixes, fixedBundleId: null }
  const [recipient] = readList(corrected, anywhere).lines.flatMap(({ written }) => written)
  const [network, another] = recipient?.network ? [recipient.network] : likely
  if (!network || another) return { do: 'networks_for', phone }
  const { size = null } = recipient ?? {}
  const [only, more] = bundles.filter(
    (bundle) => bundle.network === network && size !== null && hasSize(bundle, size),
  )
  return only && !more
    ? { do: 'bundle', bundleId: only.id, phone }
    : { do: 'bundles_for', network, phone, page: 0 }
}

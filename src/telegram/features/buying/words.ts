import { defaultPrefixes } from '../../../lists/read-phone.ts'
import { formatGhs, type Pesewas } from '../../../provider/money.ts'
import { foreignWord, oneLine } from '../../chat/screen.ts'
import { exampleOrder } from '../../words/hints.ts'
import { b, code, counted } from '../../words/markup.ts'
import { phoneText } from '../../words/numbers.ts'

/** Texts about ordering for one number, up to the card to confirm. */

/** Said below the question for a number. */
export const orTypeName = 'Or choose a customer below, or send a saved name or a contact.'

export const chooseNetwork = `${b('Buy a bundle')}\nWhich network?`

/** For a number whose first digits belong to no network that is sold here. */
export const networkNotSold = (phone: string) =>
  `${phone.slice(0, 3)} belongs to a network I don’t sell. Has ${phoneText(phone)} moved to another network? Choose it:`

/** @param amount as `formatGhs` writes it. @param isResale whether the selling prices are meant. */
export const byAmount = (amount: string, phone: string, isResale: boolean) =>
  `What ${b(amount)} buys for ${phoneText(phone)}${isResale ? ' at your selling prices' : ''}, biggest first:`

export const nothingFor = (amount: string, phone: string) =>
  `${b(amount)} isn’t enough for a bundle. The cheapest for ${phoneText(phone)}:`

/** Said to somebody who sees no prices, so that no bundle can be named for an amount. */
export const amountUnknown = (amount: string, phone: string) =>
  `I can’t tell what ${b(amount)} buys for ${phoneText(phone)}. Send the number with a size, like <code>${exampleOrder}</code>.`

/** @param hasOffers whether likely numbers follow as buttons. */
export const mistyped = (written: string, hasOffers: boolean) =>
  `${code(written, 40)} ${phoneFault(written)}. Nothing was ordered.\n${hasOffers ? 'Which number is right? Or send it again with the size.' : `Send it again with the size, like <code>${exampleOrder}</code>.`}`

export const chooseNetworkFor = (phone: string) => `Which network for ${phoneText(phone)}?`

/** The label of a network's button. Plain text. */
export const networkLabel = (network: string, isDown: boolean) => (isDown ? `${network} · down` : network)

/** The label of a bundle that the person orders often. Plain text. */
export const usualLabel = (label: string) => `⭐ ${label}`

export const chooseBundle = (network: string, phone: string | null, isDown = false) =>
  `${isDown ? `📴 ${b(`${foreignWord(network)} is down`)}. You can confirm when it’s back.\n` : ''}${b(foreignWord(network))}: which bundle${phone ? ` for ${phoneText(phone)}` : ''}?`

export const sendNumber = 'Which number?'

/** @param price null: the reader sees no prices. */
export const askPhone = (bundle: string, price: Pesewas | null, network: string) =>
  `${b(price === null ? bundle : `${bundle} · ${formatGhs(price)}`)}\n${sendNumber} For example <code>${exampleNumber(network)}</code>.`

/** A number with first digits of the network. */
const exampleNumber = (network: string): string => {
  const [prefix] = Object.entries(defaultPrefixes).find(([, named]) => named.includes(network)) ?? ['024']
  return `${prefix}1234567`
}

/** Asks for the numbers of several orders of one size. @param network null: the person did not write one. */
export const askNumbers = (count: number, size: string, network: string | null) =>
  `${b([network ?? '', `${size} × ${count}`].map(foreignWord).join(' ').trim())}: send ${counted(count, 'number', 'numbers')}, one per line.`

/** Said before a command is answered while the question for the number is open. */
export const numberStillAsked = 'I still need the number for your order: send it next, or /cancel.'

export const numbersStillAsked = 'I still need the numbers for your order: send them next, or /cancel.'

export const askNewNumber = (bundle: string, phone: string) =>
  `${b(bundle)} for ${phoneText(phone)}\nSend the right number, for example <code>0241234567</code>.`

export const noOtherOffer = (network: string, volume: string) =>
  `${foreignWord(network)} has no other ${foreignWord(volume)} offer right now.`

const phoneFault = (written: string): string => {
  if (/\d/.test(written) && /\p{L}/u.test(written)) return 'has letters in it'
  const digits = written.replace(/\D/g, '').length
  return digits > 7 && digits < 14 && digits !== 10
    ? `has ${digits} digits, but a number has 10`
    : 'isn’t a Ghanaian mobile number'
}

export const notAPhone = (written: string) =>
  `${code(written, 40)} ${phoneFault(written)}. Nothing was ordered.\nSend 10 digits, like <code>0241234567</code>, or /cancel.`

export const notAnOrder = `I can’t find a number and a size in that. Nothing was ordered.\nSend <code>/buy ${exampleOrder}</code>, or /buy to choose.`

export const noSuchSize = (size: string, network: string) =>
  `There’s no ${foreignWord(network)} ${foreignWord(size)} bundle for your account. Nothing was ordered. The closest sizes:`

export const whichOffer = (size: string, network: string, phone: string, name: string | null) =>
  `${foreignWord(network)} has more than one ${foreignWord(size)} offer. Which one for ${phoneText(phone, name)}?`

export const whichNetwork = (size: string, phone: string, name: string | null) =>
  `${phoneText(phone, name)} could be on either network, and both sell ${foreignWord(size)}. Which one?`

/**
 * @param by whether the person chose the network with a button or wrote it.
 * @param lacking the likely networks that do not sell the size.
 */
export const otherNetwork = (
  phone: string,
  bundle: string,
  { looksLike, by, lacking }: { looksLike: string; by: 'chose' | 'wrote'; lacking: readonly string[] },
) =>
  `${phoneText(phone)} looks like ${b(foreignWord(looksLike))}, but you ${by} ${b(bundle)}. Which one?${lacking.map((network) => `\n${foreignWord(network)} doesn’t have that size.`).join('')}`

// The label of a button. Plain text.
export const keepOn = (network: string) => `Keep ${oneLine(network)}`

export const switchTo = (network: string, volume: string | null, price: Pesewas | null) =>
  volume !== null
    ? `Switch to ${oneLine(network)} ${oneLine(volume)}${price === null ? '' : ` · ${formatGhs(price)}`}`
    : `Switch to ${oneLine(network)}`

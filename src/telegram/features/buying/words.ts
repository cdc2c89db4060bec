import { formatGhs, type Pesewas } from '../../../provider/money.ts'
import { foreignWord, oneLine } from '../../chat/screen.ts'
import { exampleOrder } from '../../words/hints.ts'
import { b, code, counted } from '../../words/markup.ts'
import { phoneText } from '../../words/numbers.ts'

/** Texts about ordering for one number, up to the card to confirm. */

/** Said below the question for a number. */
export const orTypeName = 'Or press a customer, send a saved name, or a contact.'

export const chooseNetwork = `${b('Buy a bundle')}\nWhich network?`

export const chooseNetworkFor = (phone: string) => `For ${phoneText(phone)}: which network?`

export const chooseBundle = (network: string, phone: string | null) =>
  `${b(foreignWord(network))}: which bundle${phone ? ` for ${phoneText(phone)}` : ''}?`

/** The phrase that asks for the number of an order. */
export const sendNumber = 'Send the number'

/** @param price null: the reader sees no prices. */
export const askPhone = (bundle: string, price: Pesewas | null) =>
  `${b(price === null ? bundle : `${bundle} · ${formatGhs(price)}`)}\n${sendNumber} that gets it, for example <code>0241234567</code>.`

/** Asks for the numbers of several orders of one size. @param network null: the person did not write one. */
export const askNumbers = (count: number, size: string, network: string | null) =>
  `${b([network ?? '', `${size} × ${count}`].map(foreignWord).join(' ').trim())}: send ${counted(count, 'number', 'numbers')}, one a line.`

/** Said before a command is answered while the question for the number is open. */
export const numberStillAsked = 'I still need the number for your order: send it next, or /cancel.'

export const numbersStillAsked = 'I still need the numbers for your order: send them next, or /cancel.'

export const askNewNumber = (bundle: string, phone: string) =>
  `${b(bundle)} for ${phoneText(phone)}\nSend the right number, for example <code>0241234567</code>.`

export const noOtherOffer = (network: string, volume: string) =>
  `${foreignWord(network)} has no other offer of ${foreignWord(volume)} now.`

const phoneFault = (written: string): string => {
  if (/\d/.test(written) && /\p{L}/u.test(written)) return 'there are letters among its digits'
  const digits = written.replace(/\D/g, '').length
  if (digits === 9 || digits === 8) return 'a digit seems to be missing'
  return digits > 10 && digits < 14 ? 'it has too many digits' : 'it is not a Ghanaian mobile number'
}

export const notAPhone = (written: string) =>
  `I can’t order for ${code(written, 40)}: ${phoneFault(written)}. Nothing was ordered.\nSend ten digits, like <code>0241234567</code>, or /cancel.`

export const notAnOrder = `I could not read a number and a size in that. Nothing was ordered.\nWrite <code>/buy ${exampleOrder}</code>, or /buy to choose.`

export const noSuchSize = (size: string, network: string) =>
  `${foreignWord(network)} has no bundle of ${foreignWord(size)} for your account. Nothing was ordered. The nearest:`

export const whichOffer = (size: string, network: string, phone: string, name: string | null) =>
  `${foreignWord(network)} has more than one offer of ${foreignWord(size)}. Which one for ${phoneText(phone, name)}?`

export const whichNetwork = (size: string, phone: string, name: string | null) =>
  `${phoneText(phone, name)} may be of either network, and both sell ${foreignWord(size)}. Which one?`

/** @param by whether the person chose the network with a button or wrote it. */
export const otherNetwork = (phone: string, bundle: string, looksLike: string, by: 'chose' | 'wrote') =>
  `${phoneText(phone)} looks like ${b(foreignWord(looksLike))}, and you ${by} ${b(bundle)}. Numbers can move between networks. Which one?`

// The label of a button. Plain text.
export const keepOn = (network: string) => `Keep ${oneLine(network)}`

export const switchTo = (network: string, volume: string | null, price: Pesewas | null) =>
  volume !== null
    ? `Switch to ${oneLine(network)} ${oneLine(volume)}${price === null ? '' : ` · ${formatGhs(price)}`}`
    : `Switch to ${oneLine(network)}`

import type { Shopfront } from '../../../domain/selling/price-rule.ts'
import type { Accent } from '../../../pictures/theme.ts'
import type { Phone } from '../../../provider/phone.ts'
import { type LetterFault, letterOf } from '../../../shop/logo-letter.ts'
import { sellingLabels } from '../../cards/words/shop.ts'
import { foreignWord, oneLine } from '../../chat/screen.ts'
import { chosenLabel } from '../../words/labels.ts'
import { b, lines } from '../../words/markup.ts'
import { phoneText, spaced } from '../../words/numbers.ts'

/** Texts about how a shop looks to its customers: its name, number, colour and letter. */

export const shopLabels = {
  name: '🏷 Name',
  phone: '📞 Number',
  colour: '🎨 Colour',
  letter: '🔤 Letter',
  hiding: '👁 Sizes on the list',
  noPhone: '🗑 Remove number',
  firstLetter: '↩️ First letter of name',
} as const

const accentWords: Record<Accent, string> = {
  dark: '⚫ Dark',
  blue: '🔵 Blue',
  green: '🟢 Green',
  purple: '🟣 Purple',
  red: '🔴 Red',
  brown: '🟤 Brown',
}

export const colourLabel = (accent: Accent, isChosen: boolean) => chosenLabel(accentWords[accent], isChosen)

const phoneLine = (phone: Phone | null): string =>
  phone === null
    ? 'Now: none, so customers don’t see one.'
    : `Now: ${phoneText(phone)}. Customers see it on price lists and receipts.`

/** The labels of the shop's buttons, with their values. Plain text. */
export const nameLabel = ({ name }: Shopfront) => `${shopLabels.name}: ${name ? oneLine(name) : 'none yet'}`
export const phoneLabel = ({ phone }: Shopfront) => `${shopLabels.phone}: ${phone ? spaced(phone) : 'none'}`
export const lookLabel = ({ accent }: Shopfront) => `${shopLabels.colour}: ${accentWords[accent]}`

export const shopScreen = ({ name }: Pick<Shopfront, 'name'>) =>
  lines(
    b(sellingLabels.shop),
    'Customers see these details on price lists, receipts and shared orders.',
    name === null ? 'Your shop has no name yet. Send one, like <code>Ama Data</code>.' : null,
  )

export const whichHiding = `${b('Sizes on the list')}\nWhich network?`

/** @param hidden how many of the network's bundles price lists leave out. */
export const hidingScreen = (network: string, hidden: number) =>
  lines(
    `${b(foreignWord(network))}: ${hidden === 0 ? 'all sizes are on the list' : `${hidden} hidden`}`,
    'Press a size to hide it from price lists. Press it again to show it.',
    'You and your agents can still order hidden sizes.',
  )

/** The label of a size. @param isHidden whether price lists leave it out. */
export const hidingLabel = (name: string, isHidden: boolean) =>
  isHidden ? `🚫 ${oneLine(name, 24)} · hidden` : chosenLabel(oneLine(name, 24), true)

/** Said instead of a price list in which every size is hidden. */
export const allHidden = (isOwner: boolean) =>
  isOwner
    ? 'There’s nothing to list: you’ve hidden every size. Show some again.'
    : 'There’s nothing to list: the owner has hidden every size.'

export const askPhone = (phone: Phone | null) =>
  lines(
    b('Shop number'),
    phoneLine(phone),
    '',
    'Send the number customers can call or message, like <code>0241234567</code>.',
  )

export const phoneSaved = (phone: Phone) =>
  `✅ Saved. Price lists and receipts now show ${phoneText(phone)} to customers.`

export const phoneRemoved = '✅ Number removed. Pictures you’ve already sent still show it.'

export const notAPhone =
  'That isn’t a Ghanaian mobile number. Nothing was changed. Send one like <code>0241234567</code>, or /cancel.'

export const askColour = `${b('Colour and letter')}\nChoose the colour behind your shop’s name on price lists and receipts, and the letter next to it.`

export const askLetter = (shop: Shopfront) =>
  lines(
    b('Letter'),
    `Now: ${foreignWord(letterOf(shop) ?? 'none')}`,
    '',
    'Send one letter or digit. It appears next to your shop’s name on price lists and receipts.',
  )

export const letterSaved = (letter: string | null) =>
  letter === null
    ? '✅ Saved. Pictures show the first letter of your shop’s name.'
    : `✅ Saved. Price lists and receipts show ${b(foreignWord(letter))}.`

const letterFaults: Record<LetterFault, string> = {
  several: 'That isn’t a single letter or digit',
  undrawable: 'Pictures can’t show that, only letters and digits',
}

export const notALetter = (fault: LetterFault) =>
  `${letterFaults[fault]}. Nothing was changed. Send one like <code>A</code>, or /cancel.`

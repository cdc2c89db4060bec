import { nameKey } from '../lists/names/contact-name.ts'
import { networks } from '../provider/network.ts'

/**
 * Why a shop may not have a name: it would deceive customers about who sells, or lead them away.
 *
 * - `network`: the name of a network, in whatever spelling
 * - `trust`: `official`, `support` and the like, a badge, or a word for a secret
 * - `link`: an address, an @name or a number to write to
 * - `letters`: letters that look like others
 */
export type ShopNameFault = 'network' | 'trust' | 'link' | 'letters'

/** The fault of a shop's name; null if there is none. */
export const shopNameFault = (name: string): ShopNameFault | null => {
  if (link.test(name)) return 'link'
  if (holds(name, networkNames)) return 'network'
  if (badge.test(name) || holds(name, trusted)) return 'trust'
  return hasLookAlikes(name) ? 'letters' : null
}

const link = /@|:\/\/|\bwww\b|[\p{L}\p{N}]\.(?:[a-z]{2,}|\p{L}{2,})(?![\p{L}])|\d[\d\s().-]{7,}\d/iu
const badge = /[✅☑✔✓🛡🆗®™©🔵💠]/u

/** The networks' former names are here too. @see networks */
const networkNames = [...networks.map((network) => network.toLowerCase()), 'airtel', 'tigo', 'vodafone']
const trusted = [
  ...[
    'official',
    'officiel',
    'support',
    'helpdesk',
    'helpline',
    'customercare',
    'customerservice',
    'verified',
  ],
  ...['telegram', 'bundlegram', 'admin', 'momo', 'mobilemoney', 'pin', 'otp', 'password'],
]

/**
 * Shorter words also stand inside common words, so they count only as whole words, letters that are spelled out, or
 * part of a word for `mtn`.
 */
const shortest = 6

const holds = (name: string, words: readonly string[]): boolean => {
  const written = wordsOf(name)
  const together = written.join('')
  return words.some((word) =>
    word.length >= shortest
      ? together.includes(word)
      : written.some((each) => each === word || (word === 'mtn' && each.includes(word))) ||
        spelledOut(written).includes(word),
  )
}

/** Letters that stand alone, put together: `M T N`, `m.t.n`. */
const spelledOut = (words: readonly string[]): string =>
  words.map((word) => (word.length === 1 ? word : ' ')).join('')

/**
 * The words in plain small letters. Characters in place of letters are read as those letters: other scripts, digits,
 * signs, small capitals, boxes.
 */
const wordsOf = (name: string): string[] =>
  nameKey([...name.normalize('NFKC')].map((character) => plain.get(character) ?? boxed(character)).join(''))
    .split(' ')
    .map((word) => (/\p{L}/u.test(word) ? word.replace(/\d/g, (digit) => digits[digit] ?? digit) : word))

const digits: Record<string, string> = {
  '0': 'o',
  '1': 'l',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '8': 'b',
}

const pairs = (from: string, to: string): [string, string][] =>
  [...from].map((character, index) => [character, [...to][index] ?? ''])

const plain = new Map([
  ...pairs('АВЕКМНОРСТУХЅІЈԚԜавекмнорстухѕіјԛԝ', 'ABEKMHOPCTYXSIJQWabekmhopctyxsijqw'),
  ...pairs('ΑΒΕΖΗΙΚΜΝΟΡΤΥΧαικνορτυχγ', 'ABEZHIKMNOPTYXaiknoptuxy'),
  ...pairs('ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ', 'abcdefghijklmnoprstuvwyz'),
  ...pairs('$|!€', 'slie'),
])

/** Letters in boxes and circles, and the halves of flags. */
const boxed = (character: string): string => {
  const code = character.codePointAt(0) ?? 0
  for (const first of [0x1f130, 0x1f150, 0x1f170, 0x1f1e6]) {
    if (code >= first && code < first + 26) return String.fromCharCode(97 + code - first)
  }
  return character
}

/**
 * Whether a name has letters of scripts whose capitals look like ours, styled letters, or our letters mixed with
 * another script's.
 */
const hasLookAlikes = (name: string): boolean => {
  const letters = name.match(/\p{L}/gu) ?? []
  const foreign = letters.filter((letter) => !/\p{Script=Latin}/u.test(letter))
  const isStyled = letters.some((letter) => letter !== letter.normalize('NFKC') || smallCapitals.test(letter))
  const isMixed = foreign.length > 0 && foreign.length < letters.length
  return (
    isStyled || isMixed || foreign.some((letter) => alike.test(letter)) || /[\u{1f130}-\u{1f189}]/u.test(name)
  )
}

const smallCapitals = /[ᴀ-ᴢꜰꜱʙɢʜɪʟɴʀʏ]/u
const alike =
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Cherokee}\p{Script=Armenian}\p{Script=Lisu}\p{Script=Coptic}\p{Script=Deseret}]/u

/**
 * The name as customers are shown it; null if it is empty or breaks these rules. A name from before the rules may break
 * them.
 */
export const shownShopName = (name: string | null): string | null =>
  name !== null && name.trim() !== '' && shopNameFault(name) === null ? name : null

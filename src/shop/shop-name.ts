import { nameKey } from '../lists/names/contact-name.ts'
import { networks } from '../provider/network.ts'

/**
 * Why a shop may not have a certain name. The name would deceive customers about who sells, or lure them away:
 *
 * - `network`: the name of a network, in any spelling
 * - `trust`: `official`, `support` and similar words, a badge, or a word for a secret
 * - `link`: a web address, an @name or a phone number
 * - `letters`: letters that look like other letters
 */
export type ShopNameFault = 'network' | 'trust' | 'link' | 'letters'

/** Why the name is not allowed; null if it is. */
export const shopNameFault = (name: string): ShopNameFault | null => {
  if (link.test(name)) return 'link'
  if (holds(name, networkNames)) return 'network'
  if (badge.test(name) || holds(name, trusted)) return 'trust'
  return hasLookAlikes(name) ? 'letters' : null
}

const link = /@|:\/\/|\bwww\b|[\p{L}\p{N}]\.(?:[a-z]{2,}|\p{L}{2,})(?![\p{L}])|\d[\d\s().-]{7,}\d/iu
const badge = /[✅☑✔✓🛡🆗®™©🔵💠]/u

/** Includes former names. */
const networkNames = [...networks.map((network) => network.toLowerCase()), 'airtel', 'tigo', 'vodafone']
const trusted = [
  'official',
  'officiel',
  'support',
  'helpdesk',
  'helpline',
  'customercare',
  'customerservice',
  'verified',
  'telegram',
  'bundlegram',
  'admin',
  'momo',
  'mobilemoney',
  'pin',
  'otp',
  'password',
]

/**
 * A shorter word is often part of harmless words. So it counts only as a whole word, or spelled out letter by letter.
 * `mtn` also counts as part of a word.
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

/** Joins single letters, so that `M T N` and `m.t.n` become `mtn`. */
const spelledOut = (words: readonly string[]): string =>
  words.map((word) => (word.length === 1 ? word : ' ')).join('')

/**
 * The words of a name in plain lower-case letters. Characters that look like letters are read as those letters: from
 * other scripts, digits, signs, small capitals, boxed letters.
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

/**
 * The plain letter for a letter in a box or circle, or for a regional indicator (half of a flag). Any other character
 * stays as it is.
 */
const boxed = (character: string): string => {
  const code = character.codePointAt(0) ?? 0
  for (const first of [0x1f130, 0x1f150, 0x1f170, 0x1f1e6]) {
    if (code >= first && code < first + 26) return String.fromCharCode(97 + code - first)
  }
  return character
}

/**
 * Whether a name could imitate another one: it contains letters of a script that looks like Latin, styled letters, or
 * Latin letters mixed with those of another script.
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
 * The name that customers see; null if it is empty or not allowed. A stored name may break a rule that was added later.
 */
export const shownShopName = (name: string | null): string | null =>
  name !== null && name.trim() !== '' && shopNameFault(name) === null ? name : null

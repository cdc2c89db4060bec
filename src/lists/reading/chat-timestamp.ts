import { readPhone } from '../read-phone.ts'

/** The stamp that an exported or copied chat puts in front of a message. */
interface Stamp {
  /** The writer's name; null if the stamp has only a time. */
  sender: string | null
  /** The rest of the line: the message. */
  rest: string
  /** The sender is shown as a number, not a name. The message may be an order for that number. */
  byPhone: boolean
  /** The chat app wrote the line: somebody joined, messages are encrypted. */
  isSystem: boolean
}

const date = String.raw`\d{1,4}[/.-]\d{1,2}[/.-]\d{1,4}`
const time = String.raw`\d{1,2}[:.]\d{2}(?:[:.]\d{2})?(?: ?[ap]\.? ?m\.?)?`
const moment = `(?:${date},? (?:at )?${time}|${time},? ${date})`

/** `[21/11/2026, 08:12] Kofi: …` and `21/11/2026, 08:12 - Kofi: …`. Anchors and bounds keep the matching fast. */
const bracketed = new RegExp(String.raw`^\s{0,3}\[${moment}\] {0,3}`, 'i')
const dashed = new RegExp(String.raw`^\s{0,3}${moment} {1,3}- {1,3}`, 'i')

/** `Kofi, [21.11.2026 08:12]`, on a separate line above the message. */
const behind = /^[^[\]\d][^[\]]{0,80}, \[[^[\]]{0,30}\d{1,2}:\d{2}[^[\]]{0,8}\]:?\s{0,3}$/

/**
 * Reads the stamp in front of a message; null if there is none.
 * @param line in plain characters
 */
export const readChatStamp = (line: string): Stamp | null => {
  if (!mayBeStamped.test(line)) return null
  const match = bracketed.exec(line) ?? dashed.exec(line)
  if (match) return afterMoment(line.slice(match[0].length), match[0].includes('['))
  if (line.length > 150 || !behind.test(line)) return null
  return { sender: line.slice(0, line.lastIndexOf('[')).trim(), rest: '', byPhone: false, isSystem: false }
}

const mayBeStamped = /^\s{0,3}\[?\d{1,4}[/.:-]\d{1,2}|\]:?\s{0,3}$/

const maxNameLength = 80

const afterMoment = (text: string, isBracketed: boolean): Stamp => {
  const colon = text.slice(0, maxNameLength + 2).search(/:(?:\s|$)/)
  if (colon < 0)
    return { sender: null, rest: text, byPhone: false, isSystem: !isBracketed && isAboutChat.test(text) }
  const sender = text.slice(0, colon).replace(/^[~\s]+/, '')
  return { sender, rest: text.slice(colon + 1), byPhone: readPhone(sender) !== null, isSystem: false }
}

const isAboutChat = /^.{0,120}\b(?:added|joined|left|removed|created|changed|encrypted|invite)\b/i

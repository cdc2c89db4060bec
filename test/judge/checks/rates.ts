import type { Facts } from '../facts.ts'
import { type Check, type Finding, lookAt, together } from '../finding.ts'

/** No rate limit was exceeded, neither the provider's for each account nor Telegram's. */
export const rates: Check = (facts) => together(providersRates(facts), telegramsRates(facts))

/** A request counts when it arrives, which may be a little later than it was sent. */
const jitterMs = 1_000

const minuteMs = 60_000
const providersLimits = [
  { most: 60, withinMs: minuteMs, name: 'minute' },
  { most: 500, withinMs: 60 * minuteMs, name: 'hour' },
  { most: 5_000, withinMs: 24 * 60 * minuteMs, name: 'day' },
]

const providersRates = ({ requests }: Facts): Finding => {
  const made = requests.filter(({ accountId }) => accountId !== null)
  const byAccount = [...Map.groupBy(made, ({ accountId }) => accountId).entries()]
  return lookAt(byAccount, ([account, some]) => {
    const times = some.map(({ at }) => Date.parse(at))
    const broken = providersLimits.find(({ most, withinMs }) => busiest(times, withinMs - jitterMs) > most)
    return broken ? `account ${account} made more than ${broken.most} requests in a ${broken.name}` : null
  })
}

/** Telegram accepts a short burst in a private chat. */
const burstInChat = 20
const mostInGroup = 20
const mostAnnounced = 30
/** A message to somebody who wrote or pressed this recently is an answer, not an announcement. */
const answeredWithinMs = minuteMs

const telegramsRates = ({ telegram: { isPaced, entries } }: Facts): Finding => {
  if (!isPaced) return { looked: 0, breaches: [] }
  const messages = entries.filter(({ by, kind }) => by === 'bot' && (kind === 'sent' || kind === 'edited'))
  const byChat = [...Map.groupBy(messages, ({ chat }) => chat).entries()]
  const chats = lookAt(byChat, ([chat, some]) => {
    const times = some.map(({ at }) => at)
    if (chat < 0)
      return busiest(times, minuteMs - jitterMs) > mostInGroup
        ? `group ${chat} got more than ${mostInGroup} messages in a minute`
        : null
    return overflows(times)
      ? `chat ${chat} got more than one message a second after a burst of ${burstInChat}`
      : null
  })
  const acted = new Map<number, number>()
  const announced: number[] = []
  for (const { by, chat, at, kind } of entries) {
    if (by === 'person') acted.set(chat, at)
    else if ((kind === 'sent' || kind === 'edited') && at - (acted.get(chat) ?? 0) > answeredWithinMs)
      announced.push(at)
  }
  const all = lookAt([announced], (times) =>
    busiest(times, 1_000) > mostAnnounced
      ? `more than ${mostAnnounced} announcements went out in a second`
      : null,
  )
  return together(chats, all)
}

/** The most events within any period of that length. @param times sorted. */
const busiest = (times: readonly number[], lengthMs: number): number => {
  let first = 0
  let most = 0
  for (const [index, time] of times.entries()) {
    while ((times[first] ?? time) <= time - lengthMs) first += 1
    most = Math.max(most, index - first + 1)
  }
  return most
}

const overflows = (times: readonly number[]): boolean => {
  let level = 0
  let last = times[0] ?? 0
  return times.some((time) => {
    level = Math.max(0, level - (time - last) / 1_000) + 1
    last = time
    return level > burstInChat + 1
  })
}

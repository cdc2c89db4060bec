import type { Facts, Said } from '../facts.ts'
import { type Check, lookAt } from '../finding.ts'
import { referencesIn } from '../words.ts'

/**
 * No news was announced twice: two consecutive messages about one order never say the same, unless the answer to the
 * first was lost or the bot was interrupted in between.
 */
export const announcedTwice: Check = (facts) => {
  const lists = new Set(
    [...facts.purchases.values()]
      .filter(({ kind }) => kind === 'list')
      .map(({ chatId, cardMessageId }) => `${chatId} ${cardMessageId}`),
  )
  const news = facts.telegram.entries
    .filter(isNews)
    .map((said) => ({ said, ...newsOf(said, lists.has(`${said.chat} ${said.replyTo}`)) }))
    .filter(({ about }) => about !== null)
  const threads = Map.groupBy(news, ({ said, about }) => `${said.chat} ${about}`)
  const pairs = [...threads.values()].flatMap((thread) =>
    thread.map((each, index) => ({ each, before: thread[index - 1] })),
  )
  return lookAt(pairs, ({ each, before }) =>
    before?.says !== each.says || mayRepeat(facts, before.said, each.said)
      ? null
      : `chat ${each.said.chat} was told twice, by messages ${before.said.messageId} and ${each.said.messageId}: ${each.says.split('\n')[0]}`,
  )
}

/** Whether the message is a status, or other news that replies to the card of its order or list. */
const isNews = (entry: Said | Facts['telegram']['entries'][number]): entry is Said =>
  entry.by === 'bot' &&
  entry.kind === 'sent' &&
  entry.text !== undefined &&
  (isStatus(entry.text) || entry.replyTo !== undefined)

/**
 * What a message is about, and what it says, whether reported or confirmed. Equal orders of a list cannot be told
 * apart until they have references.
 */
const newsOf = ({ text, replyTo }: Said, isOfList: boolean): { about: string | null; says: string } => {
  const says = text.replace(' (reported)', '')
  const [reference = null] = referencesIn(text)
  if (replyTo === undefined) return { about: reference ?? text, says }
  if (!isOfList) return { about: `reply to ${replyTo}`, says }
  const part = text.includes('List of') ? 'as a whole' : reference
  return { about: part && `reply to ${replyTo} ${part}`, says }
}

/** Whether the text is a status, such as `✅ MTN 2GB for 0241234567: delivered`, alone or as a correction. */
const isStatus = (text: string): boolean =>
  /^(⚠️ Correction.*\n)?\S+ .+ for [^:\n]+: (delivered|failed|cancelled|refunded|processing)( \(reported\))?(\n|$)/.test(
    text,
  )

const mayRepeat = ({ telegram }: Facts, before: Said, again: Said): boolean =>
  before.lost === true ||
  (telegram.interruptionsMs ?? []).some((atMs) => atMs >= before.at - clockToleranceMs && atMs <= again.at)

/** A process that died up to this long after Telegram accepted its message may not have stored that it was sent. */
const clockToleranceMs = 1_000

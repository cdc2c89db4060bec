import type { Facts, Said } from '../facts.ts'
import { type Check, lookAt } from '../finding.ts'
import { referencesIn } from '../words.ts'

/**
 * Nothing was announced twice: no two messages in a row about one order say the same, unless the answer to the first was
 * lost or the bot was interrupted in between.
 */
export const announcedTwice: Check = (facts) => {
  const news = facts.telegram.entries.filter(isNews).map((said) => ({ said, ...newsOf(said) }))
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

/** A status, or other news in reply to the card of its order or list. */
const isNews = (entry: Said | Facts['telegram']['entries'][number]): entry is Said =>
  entry.by === 'bot' &&
  entry.kind === 'sent' &&
  entry.text !== undefined &&
  (statusIn(entry.text) !== null || entry.replyTo !== undefined)

/** What it is about, and what it says of that. */
const newsOf = ({ text, replyTo }: Said): { about: string; says: string } => ({
  about: replyTo === undefined ? (referencesIn(text)[0] ?? text) : `reply to ${replyTo}`,
  says: statusIn(text) ?? text,
})

/** `✅ MTN 2GB for 0241234567: delivered`, whether reported or confirmed, and what it corrects. */
const statusIn = (text: string): string | null => {
  const status =
    /^(⚠️ Correction.*\n)?(\S+ .+ for [^:\n]+: (?:delivered|failed|cancelled|refunded|processing))(?: \(reported\))?$/m.exec(
      text,
    )
  if (!status) return null
  return `${status[1] ?? ''}${status[2]} ${referencesIn(text)[0] ?? ''}`
}

const mayRepeat = ({ telegram }: Facts, before: Said, again: Said): boolean =>
  before.lost === true ||
  (telegram.interruptionsMs ?? []).some((atMs) => atMs >= before.at - clockToleranceMs && atMs <= again.at)

/** A process dies some moments after Telegram took its message. */
const clockToleranceMs = 1_000

import type { UnansweredKind } from '../../../domain/times/unanswered.ts'
import { foreignWord } from '../../chat/screen.ts'
import { when } from '../../chat/time.ts'
import { code, lines } from '../../words/markup.ts'
import { type ReadFailure, silence } from '../../words/unreadable.ts'

/** Texts while a request waits for the provider. */

const things: Record<UnansweredKind, string> = {
  order: 'your card',
  balance: 'the balance',
  transactions: 'the transactions',
  bundles: 'the bundles',
}

const untouched = 'Nothing new was ordered.'

interface Waiting {
  kind: UnansweredKind
  /** What the person wrote; null if they pressed a button. */
  written: string | null
  until: Date
  now: Date
}

export const keepsTrying = 'I’ll keep trying'

/**
 * @param why why the provider could not be read.
 * @param limitEnds when the provider’s request limit ends; null if the read failed for another reason.
 */
export const waiting = ({
  kind,
  written,
  why,
  limitEnds,
  until,
  now,
}: Waiting & { why: ReadFailure; limitEnds: Date | null }): string =>
  lines(
    writtenLine(written),
    `⏳ ${limitEnds ? 'I’ve reached the provider’s request limit.' : `The provider ${silence(why)}.`}${kind === 'order' ? ` ${untouched}` : ''}`,
    limitEnds
      ? `I’ll show ${things[kind]} here at about ${when(limitEnds, now)}.`
      : `${keepsTrying} until ${when(until, now)} and show ${things[kind]} here.`,
  )

const writtenLine = (written: string | null): string | null =>
  written === null || foreignWord(written) === '' ? null : code(written, 60)

/** Replaces the message about a waiting request that is given up. */
export const stopped = ({ kind, written, until, now }: Waiting): string =>
  lines(
    writtenLine(written),
    `⌛ The provider didn’t answer by ${when(until, now)}, so I’ve stopped trying.`,
    kind === 'order' ? `${untouched} Please try again.` : null,
  )

export const askedAgain = 'You asked again. See my newer message.'

export const cancelledAsk = `Cancelled. ${untouched}`

export const tryingToast = 'Asking the provider…'

export const overToast = 'I’m not working on this any more. Nothing new was ordered.'

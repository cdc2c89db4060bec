import { oneLine } from '../../chat/screen.ts'
import { b, grouped, lines } from '../../words/markup.ts'

/** Texts about numbers that are kept on another network than their prefix says. */

export const portedLabel = (count: number): string => `🔀 Kept numbers (${grouped(count)})`

export const forgetLabel = (phone: string, network: string): string =>
  `🗑 ${oneLine(phone)} · ${oneLine(network, 12)}`

export const forgetAllLabel = '🗑 Forget all'

/** @param shown how many of the numbers have a button. */
export const ported = (count: number, shown: number): string =>
  lines(
    b('Kept numbers'),
    count === 0
      ? 'None yet. When you press <b>Keep</b> for a ported number, it’s listed here.'
      : 'You pressed <b>Keep</b> for these numbers, so I don’t ask about their network. Press a number to forget it.',
    count > shown ? `The newest ${grouped(shown)} of ${grouped(count)}.` : null,
  )

export const portedForgotten =
  'Forgotten. I’ll ask about its network again, unless you’ve already ordered for it on that network.'

export const portedAllForgotten = 'All forgotten.'

export const portedGone = 'Already forgotten.'

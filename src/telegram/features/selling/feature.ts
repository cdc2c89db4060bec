import { commandMeant } from '../../../lists/command-words.ts'
import type { Feature } from '../feature.ts'
import { leaving, member, owner, toastNotYours } from '../guards/guards.ts'
import { isReferenceOrOrder } from '../guards/texts.ts'
import { close } from './day.ts'
import { pressSelling, showPrices, takeText } from './selling.ts'
import { stats } from './stats.ts'

const statistics = {
  run: member((ctx, person) => stats(ctx, person, 'week')),
  onlyShows: true,
} as const

/** Selling prices, price lists, receipts, how the shop looks, and statistics. */
export const selling = {
  commands: {
    prices: { run: member(showPrices) },
    stats: statistics,
    // The command is not in Telegram's menu, but people who look for their profit type it.
    profit: statistics,
  },
  presses: {
    selling: leaving(member((ctx, person, { act }) => pressSelling(ctx, person, act), toastNotYours)),
    close_day: owner(close, toastNotYours),
    stats: member((ctx, person, { period }) => stats(ctx, person, period), toastNotYours),
  },
  questions: {
    selling: {
      // A word for a command, such as “balance”, is not a shop's name.
      endsFor: (text, { ask }) =>
        isReferenceOrOrder(text) || (ask.about === 'shop_name' && commandMeant(text) !== null),
      text: member(takeText),
      takesNumber: (_number, { ask }) => ask.about === 'shop_phone',
    },
  },
} satisfies Feature

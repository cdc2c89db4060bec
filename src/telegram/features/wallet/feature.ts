import type { Feature } from '../feature.ts'
import { owner } from '../guards/guards.ts'
import { pressUnanswered } from './answering.ts'
import { entries, filtersScreen } from './entries.ts'
import { balance, refuseWallet } from './wallet.ts'

/** The wallet's balance and entries, and requests that wait for the provider. */
export const wallet = {
  commands: {
    balance: { run: owner(balance, refuseWallet), onlyShows: true },
    transactions: {
      run: owner((ctx, person) => entries(ctx, person, { filter: 'all', seek: null }), refuseWallet),
      onlyShows: true,
    },
  },
  presses: {
    balance: owner(balance, refuseWallet),
    transactions: owner((ctx, person, { wish }) => entries(ctx, person, wish), refuseWallet),
    transactions_filters: owner(
      async (ctx, _person, { filter }) => ctx.talk.show(filtersScreen(filter)),
      refuseWallet,
    ),
    unanswered: pressUnanswered,
  },
} satisfies Feature

import type { Feature } from '../feature.ts'
import { sayAccountNeeded } from '../guards/account-needed.ts'
import { leaving, member, toastNotYours } from '../guards/guards.ts'
import { isReferenceOrOrder } from '../guards/texts.ts'
import { askFilter, showOrders } from './history.ts'
import {
  again,
  cancel,
  confirm,
  judge,
  ofOwnOrder,
  refresh,
  report,
  sayOrder,
  sendAnyway,
  share,
  showMore,
  toastCardNotYours,
} from './order.ts'
import { orders as showOrFind, takeSearch } from './search.ts'

/** The history of orders, and the buttons of an order's card. */
export const orders = {
  commands: {
    orders: { run: showOrFind, onlyShows: true },
  },
  presses: {
    confirm: member(confirm, toastCardNotYours),
    cancel: member(cancel, toastCardNotYours),
    send_anyway: member(sendAnyway, toastNotYours),
    judge: ofOwnOrder(judge),
    refresh: ofOwnOrder(refresh),
    open: ofOwnOrder((ctx, { order }) => sayOrder(ctx, order)),
    again: ofOwnOrder(again),
    more: ofOwnOrder(showMore),
    share: ofOwnOrder(share),
    report: ofOwnOrder(report),
    orders: leaving((ctx, { page, filter }) => showOrders(ctx, page, filter)),
    filter_orders: member(askFilter),
  },
  questions: {
    search_orders: {
      endsFor: isReferenceOrOrder,
      text: member(takeSearch, leaving(sayAccountNeeded)),
    },
  },
} satisfies Feature

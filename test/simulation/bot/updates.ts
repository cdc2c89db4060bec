import type { Update } from 'grammy/types'
import type { Outage } from '../../../src/database/health.ts'
import { type Admission, createAdmission } from '../../../src/messaging/admission.ts'
import { createRates } from '../../../src/messaging/buckets.ts'
import type { Store } from '../../../src/store/store.ts'
import { admitAll } from '../../../src/telegram/chat/flood-guard.ts'
import { createHandle, type Handled } from '../../../src/telegram/chat/updates/handling.ts'
import { createOutageReplies } from '../../../src/telegram/chat/updates/outage-replies.ts'
import type { World } from '../world.ts'
import type { BotProcess } from './process.ts'
import { silentLog } from './silent-log.ts'

/** A press on a card. Telegram delivers it again until it is handled. */
export interface Press {
  id: number
  userId: number
  chatId: number
  purchaseId: string
  data: string
}

export interface PressEvents {
  /** Called when the press was dropped because its chat sends too much. */
  onLeftOut: (press: Press) => void
}

/** How a process receives presses and messages, also during floods and while the database cannot be used. */
export interface Updates {
  /** @returns the outcome; its `result` is null if the work was not done. */
  press: <T>(press: Press, work: () => Promise<T>) => Promise<{ handled: Handled; result: T | null }>
  /** Answers a message in its turn, unless it is dropped. */
  message: (from: { chatId: number; userId: number }, answer: () => Promise<void>) => Promise<void>
}

export const createUpdates = (
  world: World,
  process: BotProcess,
  { store, onLeftOut }: { store: Store } & PressEvents,
): Updates => {
  const { monotonicMs } = process.clock
  const { sleep } = process
  const waiting = new Map<number, number>()
  const works = new Map<number, () => Promise<unknown>>()
  const presses = new Map<number, Press>()
  const drawn: Admission = createAdmission({
    belongs: async (userId) => (await store.accounts.member(userId)) !== null,
    waitingFor: (chatId) => waiting.get(chatId) ?? 0,
    strangersWaiting: () => 0,
    rates: createRates(monotonicMs),
    now: monotonicMs,
  })
  const admission = world.mutation.admission?.(drawn) ?? drawn

  let outage: Outage | null = null
  const isAway = () => world.isDiskFull || world.isDatabaseDown || process.isCutOff
  const look = async () => {
    outage = isAway() ? (outage ?? { cause: 'full', sinceMs: monotonicMs() }) : null
    return outage
  }
  const health = {
    outage: () => (isAway() ? outage : null),
    note: () => {},
    look,
    recovered: async (withinMs: number) => {
      const endsMs = monotonicMs() + withinMs
      while ((await look()) && monotonicMs() < endsMs) await sleep(100)
    },
    round: async () => {},
  }

  const replies = createOutageReplies({
    api: {
      sendMessage: async () => ({}),
      deleteMessage: async () => true,
      answerCallbackQuery: async () => true,
    } as unknown as Parameters<typeof createOutageReplies>[0]['api'],
    operatorIds: () => [],
    closeAlerts: async () => {},
    monotonicMs,
    onError: () => {},
  })

  const arrivalOf = ({ chatId, userId }: Pick<Press, 'chatId' | 'userId'>, isDecisive: boolean) => ({
    chatId,
    userId,
    isDecisive,
    isKept: false,
  })
  const leavesOut = (press: Press, leftOut: unknown): boolean => {
    if (leftOut) onLeftOut(press)
    return Boolean(leftOut)
  }

  const handle = createHandle({
    bot: {
      api: { sendMessage: async () => ({}) },
      handleUpdate: async ({ update_id: id }: Update) => {
        const press = presses.get(id)
        if (press && !leavesOut(press, admission.begin(arrivalOf(press, true)))) await works.get(id)?.()
      },
    } as unknown as Parameters<typeof createHandle>[0]['bot'],
    floodGuard: {
      ...admitAll,
      enters: async ({ update_id: id }) => {
        const press = presses.get(id)
        return !press || !leavesOut(press, await admission.enter(arrivalOf(press, true)))
      },
    },
    health,
    replies,
    monotonicMs,
    log: silentLog,
    sleep,
  })

  return {
    press: async (press, work) => {
      const { id, userId, chatId, data } = press
      let result: Awaited<ReturnType<typeof work>> | null = null
      presses.set(id, press)
      works.set(id, async () => {
        result = await work()
      })
      const query = { id: String(id), from: { id: userId }, data, message: { chat: { id: chatId } } }
      const update = { update_id: id, callback_query: query } as unknown as Update
      return { handled: await handle(update), result }
    },
    message: async (from, answer) => {
      if ((await admission.enter(arrivalOf(from, false))) || admission.begin(arrivalOf(from, false))) return
      const { chatId } = from
      waiting.set(chatId, (waiting.get(chatId) ?? 0) + 1)
      await answer().finally(() => waiting.set(chatId, (waiting.get(chatId) ?? 1) - 1))
    },
  }
}

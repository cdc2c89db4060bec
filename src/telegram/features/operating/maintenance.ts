import { crashPoint } from '../../../base/crash-point.ts'
import type { Maintenance } from '../../../domain/may-order.ts'
import {
  beginMaintenance,
  changeMaintenance,
  endMaintenance,
  maintenanceOf,
  maxReasonLength,
} from '../../../orders/permission/switches.ts'
import { noteReopened, redrawReopened } from '../../../orders/placing/reopening.ts'
import { releaseMaintenanceNotices } from '../../../settings/orders-again.ts'
import {
  askNext,
  type BotContext,
  forgetQuestion,
  type OperatorAsk,
  pendingQuestion,
} from '../../chat/context.ts'
import type { ActHandlers } from '../../chat/handler.ts'
import { type Button, oneLine, type Screen } from '../../chat/screen.ts'
import type { Services } from '../../chat/services.ts'
import { labels } from '../../words/labels.ts'
import { noteAct } from './note-act.ts'
import { operatorButton, overviewButton } from './operator-buttons.ts'
import * as words from './words.ts'

/** The switch that pauses all orders: see `orders/permission/switches.ts`. */

const { operatorLabels } = words

/** The lengths of a pause that have a button, in minutes. */
const lengths = [30, 60, 120, 240]
/** The minutes of a pause until further notice. */
const endless = 0

type PauseAsk = Extract<OperatorAsk, { about: 'pause' }>

/** What operators' buttons do about the pause of all orders. */
export const acts = {
  maintenance: (ctx) => show(ctx),
  pause: (ctx, { minutes }) => askPause(ctx, minutes),
  pause_sure: async (ctx, { minutes }) => {
    const reason = (await askedPause(ctx))?.reason
    await forgetQuestion(ctx)
    const until = untilOf(minutes, ctx.services.now())
    await change(ctx, { until, ...(reason && { reason }) }, words.pausedNow)
  },
  until: (ctx, { minutes }) => changeIfOn(ctx, { until: untilOf(minutes, ctx.services.now()) }),
  reason: async (ctx) => {
    await askNext(ctx, { what: 'operator', ask: { about: 'pause', minutes: endless, reason: null } })
    ctx.talk.show({ text: words.askReason, rows: [[operatorButton(labels.leave, { act: 'maintenance' })]] })
  },
  no_reason: (ctx) => changeIfOn(ctx, { reason: null }),
  resume: (ctx) =>
    ctx.talk.show({
      text: words.askResume,
      rows: [
        [
          operatorButton(operatorLabels.resumeSure, { act: 'resume_sure' }),
          operatorButton(labels.back, { act: 'maintenance' }),
        ],
      ],
    }),
  resume_sure: (ctx) => resume(ctx),
} satisfies Partial<ActHandlers<'operator'>>

/** Takes the typed reason for the pause, or its typed end. */
export const takeWords = async (ctx: BotContext, ask: PauseAsk, text: string): Promise<void> => {
  const { services } = ctx
  const reason = oneLine(text, maxReasonLength + 1)
  if (reason.length > maxReasonLength) return ctx.talk.say(words.reasonTooLong(text.length))
  const until = timeOf(text, services.now())
  if (await maintenanceOf(services.store)) {
    await forgetQuestion(ctx)
    return change(ctx, until ? { until } : { reason }, words.reasonSet)
  }
  const minutes = until ? Math.ceil((until.getTime() - services.now().getTime()) / minuteMs) : ask.minutes
  await askPause(ctx, minutes, until ? ask.reason : reason)
}

const minuteMs = 60_000

const untilOf = (minutes: number, now: Date): Date | null =>
  minutes === endless ? null : new Date(now.getTime() + minutes * minuteMs)

/**
 * Reads `14:30` or `until 14:30`. The result is the next moment when clocks in Accra show this time; null if the text
 * is another.
 */
const timeOf = (text: string, now: Date): Date | null => {
  const [, hours, minutes] = /^(?:until\s+)?(\d{1,2})[:.](\d{2})$/i.exec(text.trim()) ?? []
  if (hours === undefined || minutes === undefined || Number(hours) > 23 || Number(minutes) > 59) return null
  const at = new Date(now)
  at.setUTCHours(Number(hours), Number(minutes), 0, 0)
  if (at <= now) at.setUTCDate(at.getUTCDate() + 1)
  return at
}

const askedPause = async (ctx: BotContext): Promise<PauseAsk | null> => {
  const question = await pendingQuestion(ctx)
  return question?.what === 'operator' && question.ask.about === 'pause' ? question.ask : null
}

/** Asks for the length of the pause. A reason that was typed before is kept. */
const askPause = async (ctx: BotContext, minutes: number, typed?: string | null): Promise<void> => {
  if (await maintenanceOf(ctx.services.store)) return show(ctx)
  const reason = typed ?? (await askedPause(ctx))?.reason ?? null
  await askNext(ctx, { what: 'operator', ask: { about: 'pause', minutes, reason } })
  ctx.talk.show({
    text: words.askPause(minutes, reason),
    rows: [
      lengths.map((each) => lengthButton('pause', each, minutes)),
      [lengthButton('pause', endless, minutes)],
      [operatorButton(operatorLabels.pauseSure, { act: 'pause_sure', minutes })],
      [operatorButton(labels.back, { act: 'maintenance' })],
    ],
  })
}

const lengthButton = (act: 'pause' | 'until', minutes: number, chosen: number | null): Button =>
  operatorButton(words.lengthLabel(minutes, minutes === chosen), { act, minutes })

type Change = Partial<Pick<Maintenance, 'until' | 'reason'>>

const change = async (ctx: BotContext, wanted: Change, said: string): Promise<void> => {
  const { store, now, log } = ctx.services
  await store.transaction((tx) => beginMaintenance(tx, wanted, now()))
  crashPoint('maintenance_switched')
  log.warn('an operator paused all orders')
  await noteAct(ctx, 'orders_paused')
  ctx.talk.toast(said)
  await show(ctx)
}

/** Changes the current pause, if there is one: an old button from an earlier pause must not begin a new one. */
const changeIfOn = async (ctx: BotContext, wanted: Change): Promise<void> => {
  const { store, now } = ctx.services
  await store.transaction((tx) => changeMaintenance(tx, wanted, now()))
  await show(ctx)
}

const resume = async (ctx: BotContext): Promise<void> => {
  const { store, now, log, onNotice } = ctx.services
  const isOver = await store.transaction(async (tx) => {
    const wasOn = await endMaintenance(tx)
    if (wasOn) await noteReopened(tx, now())
    return wasOn
  })
  if (isOver) {
    log.warn('an operator resumed orders')
    await noteAct(ctx, 'orders_resumed')
  }
  crashPoint('maintenance_switched')
  ctx.talk.toast(words.resumedNow)
  ctx.talk.aside(async () => {
    await releaseMaintenanceNotices(store, now)
    await redrawReopened(ctx.services)
    onNotice()
  })
  await show(ctx)
}

const show = async (ctx: BotContext): Promise<void> => ctx.talk.show(await maintenanceScreen(ctx.services))

const maintenanceScreen = async ({ store, now }: Services): Promise<Screen> => {
  const maintenance = await maintenanceOf(store)
  if (!maintenance) {
    return {
      text: words.maintenanceOff,
      rows: [[operatorButton(operatorLabels.pause, { act: 'pause', minutes: endless })], [overviewButton]],
    }
  }
  return {
    text: words.maintenanceOn(maintenance, now()),
    rows: [
      lengths.map((minutes) => lengthButton('until', minutes, null)),
      [
        lengthButton('until', endless, maintenance.until === null ? endless : null),
        maintenance.reason === null
          ? operatorButton(operatorLabels.reason, { act: 'reason' })
          : operatorButton(operatorLabels.noReason, { act: 'no_reason' }),
      ],
      [operatorButton(operatorLabels.resume, { act: 'resume' })],
      [overviewButton],
    ],
  }
}

import { networks } from '../../../provider/index.ts'
import { type Pesewas, pesewas } from '../../../provider/money.ts'
import { changeSetting, type SettingChange, type Somebody } from '../../../settings/change.ts'
import {
  evening,
  morning,
  readSetting,
  type Setting,
  settingIn,
  type Topic,
  topicsFor,
  writtenSetting,
} from '../../../settings/setting.ts'
import { notifyLevels } from '../../../store/chats/preferences.ts'
import type { ActOf, ButtonPress } from '../../buttons/table.ts'
import { sellingLabels } from '../../cards/words/shop.ts'
import { askNext, type BotContext, forgetQuestion, type Question } from '../../chat/context.ts'
import { type Button, button, homeButton, inRows, type Screen } from '../../chat/screen.ts'
import type { Services } from '../../chat/services.ts'
import { chosenLabel, labels } from '../../words/labels.ts'
import { lines } from '../../words/markup.ts'
import type { Answer } from '../feature.ts'
import { owner, toastNotYours } from '../guards/guards.ts'
import { shopScreen } from '../selling/shopfront.ts'
import * as myData from './my-data.ts'
import * as security from './security.ts'
import { securityLabel } from './security-words.ts'
import * as words from './words.ts'

const { settingsLabels } = words
const settingsButton = (label: string, act: ActOf<'settings'>): Button =>
  button(label, { do: 'settings', act })
const backButton = settingsButton(labels.back, { act: 'show' })

/** `/settings`: shows all settings with their values. */
export const showSettings = async (ctx: BotContext, person: Somebody): Promise<void> =>
  ctx.talk.say(await overview(ctx.services, person))

export const pressSettings = async (
  ctx: BotContext,
  person: Somebody,
  { act }: Extract<ButtonPress, { do: 'settings' }>,
): Promise<void> => {
  switch (act.act) {
    case 'show':
      return ctx.talk.show(await overview(ctx.services, person))
    case 'more':
      return ctx.talk.show(await moreScreen(ctx.services, person))
    case 'open':
      return open(ctx, person, act.topic)
    case 'set':
      return set(ctx, person, act.setting)
    case 'data':
      return myData.show(ctx, person)
    case 'export':
      return myData.sendExport(ctx, person)
    case 'security':
      return owner<void>(security.show, toastNotYours)(ctx)
    case 'forget':
      return myData.ask(ctx, person)
    case 'forget_sure':
      return myData.forget(ctx, person, act)
    default:
      return act satisfies never
  }
}

const settledBy = async ({ store }: Services, { userId, accountId, role }: Somebody): Promise<Setting[]> => {
  const preferences = await store.preferences.of(userId)
  const shop = accountId === null ? null : await store.shops.of(accountId)
  return topicsFor(role).map((topic) => settingIn(topic, preferences, shop?.name ?? null))
}

/** Settings behind `More`, because few people change them. The shop's name belongs to the shop's own screen. */
const rare: readonly Topic[] = ['network', 'zone', 'slow']

const overview = async (services: Services, person: Somebody): Promise<Screen> => {
  const all = await settledBy(services, person)
  return {
    text: words.settings,
    rows: [
      ...topicRows(all.filter(({ topic }) => !rare.includes(topic) && topic !== 'shop')),
      [settingsButton(settingsLabels.data, { act: 'data' })],
      [settingsButton(settingsLabels.more, { act: 'more' }), homeButton],
    ],
  }
}

const moreScreen = async (services: Services, person: Somebody): Promise<Screen> => {
  const all = await settledBy(services, person)
  const shop = button(sellingLabels.shop, { do: 'selling', act: { act: 'shop' } })
  return {
    text: words.settings,
    rows: [
      ...topicRows(all.filter(({ topic }) => rare.includes(topic))),
      ...(person.role === 'owner' ? [[shop], [settingsButton(securityLabel, { act: 'security' })]] : []),
      [backButton],
    ],
  }
}

/** A button for each setting, with its value. */
const topicRows = (all: readonly Setting[]): Button[][] =>
  all.map((setting) => [settingsButton(words.topicLabel(setting), { act: 'open', topic: setting.topic })])

/** Says what was changed, with a button to undo it. The shop's name is shown with the shop. */
const changedScreen = async (
  { store }: Services,
  { accountId }: Somebody,
  { before, after, lowBalancePesewas }: Changed,
): Promise<Screen> => {
  const undo = settingsButton(settingsLabels.undo, { act: 'set', setting: before })
  if (after.topic === 'shop' && accountId !== null)
    return shopScreen(await store.shops.of(accountId), words.saved(after), [undo])
  const low =
    after.topic === 'level' && after.pesewas !== null && lowBalancePesewas !== null
      ? words.balanceIsLow(lowBalancePesewas, after.pesewas)
      : null
  return { text: lines(words.saved(after), low), rows: [[undo, backTo(after.topic)]] }
}

type Changed = Extract<SettingChange, { kind: 'changed' }>

/** The button back to where the topic is listed. */
const backTo = (topic: Topic): Button => {
  if (topic === 'shop') return button(sellingLabels.shop, { do: 'selling', act: { act: 'shop' } })
  return rare.includes(topic) ? settingsButton(labels.back, { act: 'more' }) : backButton
}

/** Settings whose value can be typed. */
const typed: readonly Topic[] = ['quiet', 'level', 'repeat', 'shop', 'summary', 'zone']

const open = async (ctx: BotContext, person: Somebody, topic: Topic): Promise<void> => {
  const now = (await settledBy(ctx.services, person)).find((setting) => setting.topic === topic)
  if (!now) return ctx.talk.toast(words.settingNotYours)
  if (typed.includes(topic)) await askNext(ctx, { what: 'setting', topic })
  ctx.talk.show({ text: words.topic(now), rows: [...choices(now), [backTo(topic)]] })
}

const cedis = (amount: number): Pesewas => pesewas(amount * 100)

/** The values of a setting that have a button. */
const choices = (now: Setting): Button[][] => {
  const choice = (setting: Setting, label = words.choiceLabel(setting)): Button =>
    settingsButton(chosenLabel(label, writtenSetting(setting) === writtenSetting(now)), {
      act: 'set',
      setting,
    })
  const offButton = (setting: Setting): Button[] => [choice(setting, settingsLabels.off)]
  const { topic } = now
  switch (topic) {
    case 'notify':
      return notifyLevels.map((level) => [choice({ topic, level })])
    case 'quiet': {
      const hours = [
        { from: 21 * 60, to: 6 * 60 },
        { from: 22 * 60, to: 7 * 60 },
      ]
      return [...hours.map((each) => [choice({ topic, hours: each })]), offButton({ topic, hours: null })]
    }
    case 'level': {
      const buttons = [50, 100, 200, 500].map((amount) => choice({ topic, pesewas: cedis(amount) }))
      return [...inRows(buttons, 2), offButton({ topic, pesewas: null })]
    }
    case 'repeat': {
      const buttons = [5, 10, 20, 50].map((amount) => choice({ topic, pesewas: cedis(amount) }))
      return [...inRows(buttons, 2), offButton({ topic, pesewas: null })]
    }
    case 'network': {
      const buttons = networks.map((network) => choice({ topic, network }))
      return [...inRows(buttons, 2), [choice({ topic, network: null })]]
    }
    case 'shop':
      return now.name === null ? [] : [[choice({ topic, name: null }, settingsLabels.noName)]]
    case 'summary': {
      const times = [choice({ topic, hour: morning }), choice({ topic, hour: evening })]
      return [times, offButton({ topic, hour: null })]
    }
    case 'zone':
      return ['Africa/Accra', 'Africa/Lagos', 'Europe/London', 'America/New_York'].map((timeZone) => [
        choice({ topic, timeZone }),
      ])
    case 'slow':
      return [[choice({ topic, on: true }), choice({ topic, on: false })]]
  }
}

const set = async (ctx: BotContext, person: Somebody, setting: Setting): Promise<void> => {
  const { services } = ctx
  const change = await changeIn(services, person, setting)
  if (change.kind === 'not_theirs') return ctx.talk.toast(words.settingNotYours)
  const isSame = writtenSetting(change.before) === writtenSetting(change.after)
  ctx.talk.toast(isSame ? words.sameAsBefore : words.savedToast)
  ctx.talk.show(
    isSame ? await screenOf(services, person, setting.topic) : await changedScreen(services, person, change),
  )
}

/** The screen on which the topic is listed. */
const screenOf = async (services: Services, person: Somebody, topic: Topic): Promise<Screen> => {
  if (topic === 'shop' && person.accountId !== null)
    return shopScreen(await services.store.shops.of(person.accountId), null)
  return rare.includes(topic) ? moreScreen(services, person) : overview(services, person)
}

const changeIn = async (services: Services, person: Somebody, setting: Setting): Promise<SettingChange> => {
  const { store, now, onNotice } = services
  const accounts = person.accountId === null ? [] : [person.accountId]
  const change = await store.transaction((tx) => changeSetting(tx, person, setting, now()), { accounts })
  // Messages that quiet hours held back may be due now.
  onNotice()
  return change
}

/** Takes the typed value of a setting. If it cannot be read, the question stays open. */
export const takeSetting = async (
  ctx: BotContext,
  person: Somebody,
  { question: { topic }, text }: Answer<Extract<Question, { what: 'setting' }>>,
): Promise<void> => {
  const setting = readSetting(topic, text)
  if (!setting) return ctx.talk.say({ text: words.notASetting(topic, text), rows: [[backTo(topic)]] })
  await forgetQuestion(ctx)
  const change = await changeIn(ctx.services, person, setting)
  ctx.talk.say(
    change.kind === 'changed' ? await changedScreen(ctx.services, person, change) : words.settingNotYours,
  )
}

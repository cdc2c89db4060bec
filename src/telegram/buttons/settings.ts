import type { When } from '../../accounts/departure.ts'
import { isTopic, readSetting, type Setting, type Topic, writtenSetting } from '../../settings/setting.ts'

/** What a button of the settings does. */
export type SettingsAct =
  | { act: 'show' }
  /** The choices of one. */
  | { act: 'open'; topic: Topic }
  | { act: 'set'; setting: Setting }
  /** What can be done with what the bot keeps of the person. */
  | { act: 'data' }
  | { act: 'export' }
  /** What happened that matters for the account's security. */
  | { act: 'security' }
  /** Asks whether to forget it. */
  | { act: 'forget' }
  /** The answer, about the account that was asked about; null: the person had none. */
  | { act: 'forget_sure'; accountId: string | null; when: When }

export const wordsOfSettingsAct = (act: SettingsAct): string[] => {
  switch (act.act) {
    case 'open':
      return ['open', act.topic]
    case 'set':
      return ['set', act.setting.topic, writtenSetting(act.setting)]
    case 'forget_sure':
      return ['forget_sure', act.when, act.accountId ?? '-']
    case 'show':
    case 'data':
    case 'export':
    case 'security':
    case 'forget':
      return [act.act]
  }
}

/** @param data what stands behind the word for the settings; a value may hold colons of its own. */
export const readSettingsAct = (data: string): SettingsAct | null => {
  const [word = '', first = '', ...rest] = data.split(':')
  switch (word) {
    case 'open':
      return isTopic(first) ? { act: 'open', topic: first } : null
    case 'set': {
      const setting = isTopic(first) ? readSetting(first, rest.join(':')) : null
      return setting && { act: 'set', setting }
    }
    case 'forget_sure': {
      const [accountId = ''] = rest
      if (first !== 'confirmed' && first !== 'done' && first !== 'now') return null
      if (!/^(-|[\w-]{22})$/.test(accountId)) return null
      return { act: 'forget_sure', when: first, accountId: accountId === '-' ? null : accountId }
    }
    case 'show':
    case 'data':
    case 'export':
    case 'security':
    case 'forget':
      return { act: word }
    default:
      return null
  }
}

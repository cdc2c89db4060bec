/** @import { ChatEvent, ContactCard, Drop, Message, OtherMessage, Press, Say, TelegramState } from '../../telegram/control/control.ts' */
import { follow } from '../common/live.js'
import { request } from '../common/requests.js'

const eventNames = ['edit', 'delete', 'action', 'answer', 'person', 'commands', 'keyboard', 'connection']

/** What a person's app does. It calls the control routes of the simulated Telegram that serves this page. */
export const telegram = {
  /** @returns {Promise<TelegramState>} */
  state: () => request('GET', '/_sim/state'),

  /**
   * @param {Say} message
   * @returns {Promise<Message>}
   */
  say: (message) => request('POST', '/_sim/messages', message),

  /**
   * @param {Press} press
   * @returns {Promise<{ id: string }>} of the callback query
   */
  press: (press) => request('POST', '/_sim/presses', press),

  /**
   * @param {Drop} file
   * @returns {Promise<Message>}
   */
  drop: (file) => request('POST', '/_sim/files', file),

  /**
   * @param {ContactCard} contact
   * @returns {Promise<Message>}
   */
  sendContact: (contact) => request('POST', '/_sim/contacts', contact),

  /**
   * @param {OtherMessage} other
   * @returns {Promise<Message>}
   */
  sendOther: (other) => request('POST', '/_sim/others', other),

  /**
   * @param {number} from
   * @param {string} url `https://t.me/<bot>?start=…`
   * @returns {Promise<Message>}
   */
  open: (from, url) => request('POST', '/_sim/links', { from, url }),

  /**
   * @param {number} person
   * @param {boolean} blocked
   */
  block: (person, blocked) => request('POST', `/_sim/people/${person}`, { blocked }),

  /**
   * Deletes a message for the person and the bot.
   *
   * @param {{ from: number, chat: number, messageId: number }} message
   */
  remove: (message) => request('POST', '/_sim/deletions', message),

  /**
   * Creates a group with the bot and these people.
   *
   * @param {{ title: string, members: number[] }} group
   * @returns {Promise<{ id: number }>}
   */
  group: (group) => request('POST', '/_sim/groups', group),

  /** Delivers the newest update again, as Telegram does after a crash. */
  redeliver: () => request('POST', '/_sim/redeliver', {}),

  /** @param {string} fileId */
  fileUrl: (fileId) => `/_sim/files/${encodeURIComponent(fileId)}`,

  /**
   * @param {{ load: () => Promise<void>, apply: (event: ChatEvent) => void, status: (connected: boolean) => void }} to
   */
  follow: (to) => follow({ url: '/_sim/events', names: eventNames, ...to }),
}

/** @import { ChatEvent, ContactCard, Drop, Message, NewBot, OtherMessage, Press, Say, TelegramState } from '../telegram/control.ts' */
import { follow } from './live.js'
import { request } from './requests.js'

const eventNames = ['edit', 'delete', 'action', 'answer', 'person', 'commands', 'keyboard', 'connection']

/** The page is about the first bot, or about that of `?bot=<username>`. */
const bot = new URLSearchParams(location.search).get('bot')

/** @param {string} path */
const at = (path) => (bot === null ? path : `${path}?bot=${encodeURIComponent(bot)}`)

/** What a person's app does, through the control routes of the simulated Telegram that serves this page. */
export const telegram = {
  /** @returns {Promise<TelegramState>} */
  state: () => request('GET', at('/_sim/state')),

  /**
   * @param {Say} message
   * @returns {Promise<Message>}
   */
  say: (message) => request('POST', at('/_sim/messages'), message),

  /**
   * @param {Press} press
   * @returns {Promise<{ id: string }>} of the callback query
   */
  press: (press) => request('POST', at('/_sim/presses'), press),

  /**
   * @param {Drop} file
   * @returns {Promise<Message>}
   */
  drop: (file) => request('POST', at('/_sim/files'), file),

  /**
   * @param {ContactCard} contact
   * @returns {Promise<Message>}
   */
  sendContact: (contact) => request('POST', at('/_sim/contacts'), contact),

  /**
   * @param {OtherMessage} other
   * @returns {Promise<Message>}
   */
  sendOther: (other) => request('POST', at('/_sim/others'), other),

  /**
   * @param {NewBot} bot
   * @returns {Promise<{ id: number, username: string }>}
   */
  makeBot: (bot) => request('POST', at('/_sim/bots'), bot),

  /**
   * Whether the sandbox has a bot of that username.
   *
   * @param {string} username
   * @returns {Promise<boolean>}
   */
  has: (username) =>
    request('GET', `/_sim/state?bot=${encodeURIComponent(username)}`).then(
      () => true,
      () => false,
    ),

  /**
   * @param {number} from
   * @param {string} url `https://t.me/<bot>?start=…`
   * @returns {Promise<Message>}
   */
  open: (from, url) => request('POST', at('/_sim/links'), { from, url }),

  /**
   * @param {number} person
   * @param {boolean} blocked
   */
  block: (person, blocked) => request('POST', at(`/_sim/people/${person}`), { blocked }),

  /**
   * Deletes a message for the person and the bot.
   *
   * @param {{ from: number, chat: number, messageId: number }} message
   */
  remove: (message) => request('POST', at('/_sim/deletions'), message),

  /**
   * A group of the bot and these people.
   *
   * @param {{ title: string, members: number[] }} group
   * @returns {Promise<{ id: number }>}
   */
  group: (group) => request('POST', at('/_sim/groups'), group),

  /** Delivers the newest update once more, as Telegram does after a crash. */
  redeliver: () => request('POST', at('/_sim/redeliver'), {}),

  /** @param {string} fileId */
  fileUrl: (fileId) => at(`/_sim/files/${encodeURIComponent(fileId)}`),

  /**
   * @param {{ load: () => Promise<void>, apply: (event: ChatEvent) => void, status: (connected: boolean) => void }} to
   */
  follow: (to) => follow({ url: at('/_sim/events'), names: eventNames, ...to }),
}

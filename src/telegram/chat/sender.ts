import { type Api, InputFile, InputMediaBuilder } from 'grammy'
import type { Pacer } from '../../messaging/pacer.ts'
import { acting, type ChatAction } from './chat-action.ts'
import { type Button, keyboardOf, markupOf, plainText, type Screen, withoutTimes } from './screen.ts'
import { refusalOf, type TelegramRefusal } from './telegram-refusal.ts'

/** The message id of a screen that was sent or edited, or why it was not. */
export type Sent = { kind: 'sent'; messageId: number } | { kind: 'failed'; refusal: TelegramRefusal }

/** A document for a person to keep. */
export interface FileToSend {
  name: string
  /** The file's text or bytes, or the path of a file of ours that is read as it is sent. */
  content: string | Uint8Array | { path: string }
  /** Telegram's HTML. */
  caption: string
  /** The buttons below it. */
  rows?: Button[][]
  /** Called when the file was sent, or could not be. */
  after?: () => void
}

/** A picture with a caption that says in words what it shows, in at most 1,024 characters without their markup. */
export interface Photo extends Screen {
  png: Uint8Array
}

/** Puts screens into chats, at the pace that Telegram allows. */
export interface Sender {
  send(chatId: number, screen: Screen): Promise<Sent>
  /** Edits a message; one that cannot be edited is sent anew. */
  edit(chatId: number, messageId: number, screen: Screen): Promise<Sent>
  /** Edits a message, if it is still there. */
  amend(chatId: number, messageId: number, screen: Screen): Promise<Sent>
  sendFile(chatId: number, file: FileToSend): Promise<Sent>
  sendPhoto(chatId: number, photo: Photo): Promise<Sent>
  /** Puts another picture into a message with one. If the message cannot be edited, the picture is sent anew. */
  editPhoto(chatId: number, messageId: number, photo: Photo): Promise<Sent>
  /** Sends two to ten pictures as one album. The caption stands below all of them. */
  sendAlbum(chatId: number, pictures: readonly Uint8Array[], caption: string): Promise<Sent>
  remove(chatId: number, messageId: number): Promise<Sent>
  /** Takes a message's buttons away. */
  removeButtons(chatId: number, messageId: number): Promise<Sent>
  /** Shows that something is on its way, if there is room for it beside the messages. It never fails. */
  act(chatId: number, action: ChatAction): Promise<void>
}

/** How a text goes out: as it is, without what older servers refuse, or without any markup. */
type Form = 'html' | 'timeless' | 'plain'

/** A reply is tried this often: the person waits for it now, and nobody owes it to them later. */
const maxTries = 3

/** Tries again if Telegram put the message off (the pacer waits for its time) or did not answer. */
export const persistently = async (send: () => Promise<Sent>): Promise<Sent> => {
  for (let tries = 1; ; tries += 1) {
    const sent = await send()
    const passing =
      sent.kind === 'failed' && (sent.refusal.kind === 'flood' || sent.refusal.kind === 'unknown')
    if (!passing || tries === maxTries) return sent
  }
}

/** A sender at one urgency. It returns refusals and never throws them. @param now the clock of the pacer, ms. */
export const createSender = (api: Api, pacer: Pacer, now: () => number = Date.now): Sender => {
  let takesTimes = true

  /** Makes one call. A flood is remembered for every sender of the pacer. @param messages how many it sends. */
  const call = async (
    chatId: number,
    messageId: number,
    make: () => Promise<number>,
    messages = 1,
  ): Promise<Sent> => {
    for (let turns = 0; turns < messages; turns += 1) await pacer.slot(chatId)
    try {
      return { kind: 'sent', messageId: await make() }
    } catch (error) {
      const refusal = refusalOf(error)
      if (refusal.kind === 'not_modified') return { kind: 'sent', messageId }
      if (refusal.kind === 'flood') pacer.block(chatId, now() + refusal.retryAfterMs)
      return { kind: 'failed', refusal }
    }
  }

  /** Sends something new. @param messages how many they are. */
  const sendNew = (chatId: number, make: () => Promise<number>, messages = 1): Promise<Sent> =>
    call(chatId, 0, make, messages)

  /** Sends with markup if Telegram takes it, else as plain text. */
  const readable = async (
    { text }: Screen,
    attempt: (form: Form) => Promise<Sent>,
    most = maxCharacters,
  ): Promise<Sent> => {
    if (plainText(text).length > most) return attempt('plain')
    const sent = await attempt(takesTimes ? 'html' : 'timeless')
    if (!isBadMarkup(sent)) return sent
    if (takesTimes && withoutTimes(text) !== text) {
      const timeless = await attempt('timeless')
      takesTimes = isBadMarkup(timeless)
      if (!takesTimes) return timeless
    }
    return attempt('plain')
  }

  const optionsOf = (form: Form) => ({
    ...(form !== 'plain' && { parse_mode: 'HTML' as const }),
    link_preview_options: { is_disabled: true },
  })

  const newOptionsOf = (screen: Screen) => ({
    reply_markup: markupOf(screen),
    ...(screen.threadId !== undefined && { message_thread_id: screen.threadId }),
    ...(screen.silent && { disable_notification: true }),
    ...(screen.replyTo && {
      reply_parameters: { message_id: screen.replyTo, allow_sending_without_reply: true },
    }),
  })

  const captionOf = (text: string, form: Form) => ({
    caption: inForm(text, form, maxOfCaption),
    ...(form !== 'plain' && { parse_mode: 'HTML' as const }),
  })

  const putPhoto = (photo: Photo, attempt: (form: Form) => Promise<Sent>): Promise<Sent> =>
    readable(photo, attempt, maxOfCaption)

  const sendPhoto: Sender['sendPhoto'] = (chatId, photo) =>
    putPhoto(photo, (form) =>
      sendNew(chatId, async () => {
        const message = await api.sendPhoto(chatId, fileOf(photo.png), {
          ...captionOf(photo.text, form),
          ...newOptionsOf(photo),
        })
        return message.message_id
      }),
    )

  const sendOnce: Sender['send'] = (chatId, screen) =>
    readable(screen, (form) =>
      sendNew(chatId, async () => {
        const message = await api.sendMessage(chatId, inForm(screen.text, form), {
          ...optionsOf(form),
          ...newOptionsOf(screen),
        })
        return message.message_id
      }),
    )

  const send: Sender['send'] = async (chatId, screen) => {
    const sent = await sendOnce(chatId, screen)
    const isRefused = sent.kind === 'failed' && sent.refusal.kind === 'refused'
    if (screen.threadId === undefined || !isRefused) return sent
    const { threadId: _, ...anywhere } = screen
    return sendOnce(chatId, anywhere)
  }

  const sendFile: Sender['sendFile'] = (chatId, { name, content, caption, rows = [] }) =>
    readable(
      { text: caption },
      (form) =>
        sendNew(chatId, () =>
          acting(
            () => act(chatId, 'upload_document'),
            async () => {
              const document = new InputFile(sourceOf(content), name)
              const message = await api.sendDocument(chatId, document, {
                ...captionOf(caption, form),
                reply_markup: keyboardOf({ text: '', rows }),
              })
              return message.message_id
            },
          ),
        ),
      maxOfCaption,
    )

  const sendAlbum: Sender['sendAlbum'] = (chatId, pictures, caption) =>
    readable(
      { text: caption },
      (form) => {
        const media = pictures.map((png, index) =>
          InputMediaBuilder.photo(fileOf(png), index === 0 ? captionOf(caption, form) : {}),
        )
        const make = async () => (await api.sendMediaGroup(chatId, media))[0]?.message_id ?? 0
        return sendNew(chatId, make, pictures.length)
      },
      maxOfCaption,
    )

  const act: Sender['act'] = async (chatId, action) => {
    try {
      if (await pacer.spare(chatId)) await api.sendChatAction(chatId, action)
    } catch {
      // Nobody misses a chat action, and the message itself meets the same trouble.
    }
  }

  const amend: Sender['amend'] = (chatId, messageId, screen) =>
    readable(screen, (form) =>
      call(chatId, messageId, async () => {
        const options = { ...optionsOf(form), reply_markup: keyboardOf(screen) }
        await api.editMessageText(chatId, messageId, inForm(screen.text, form), options)
        return messageId
      }),
    )

  return {
    ...{ send, amend, sendFile, sendPhoto, sendAlbum, act },
    edit: async (chatId, messageId, screen) => {
      const edited = await amend(chatId, messageId, screen)
      const isGone = edited.kind === 'failed' && edited.refusal.kind === 'nothing_to_edit'
      return isGone ? send(chatId, screen) : edited
    },
    editPhoto: async (chatId, messageId, photo) => {
      const edited = await putPhoto(photo, (form) =>
        call(chatId, messageId, async () => {
          const media = InputMediaBuilder.photo(fileOf(photo.png), captionOf(photo.text, form))
          await api.editMessageMedia(chatId, messageId, media, {
            reply_markup: keyboardOf(photo),
          })
          return messageId
        }),
      )
      const isGone = edited.kind === 'failed' && edited.refusal.kind === 'nothing_to_edit'
      return isGone ? sendPhoto(chatId, photo) : edited
    },
    removeButtons: (chatId, messageId) =>
      call(chatId, messageId, async () => {
        await api.editMessageReplyMarkup(chatId, messageId, { reply_markup: { inline_keyboard: [] } })
        return messageId
      }),
    remove: (chatId, messageId) =>
      call(chatId, messageId, async () => {
        await api.deleteMessage(chatId, messageId)
        return messageId
      }),
  }
}

const isBadMarkup = (sent: Sent): boolean => sent.kind === 'failed' && sent.refusal.kind === 'bad_markup'

/**
 * Telegram takes 4,096 characters, not counting markup. Our own texts are shorter, so this only guards against text
 * from outside.
 */
const maxCharacters = 4096
/** The limit below a picture. */
const maxOfCaption = 1024

const shortened = (text: string, most = maxCharacters): string =>
  text.length <= most ? text : `${text.slice(0, most - 1).toWellFormed()}…`

const sourceOf = (content: FileToSend['content']): Uint8Array | string => {
  if (typeof content === 'string') return Buffer.from(content)
  return content instanceof Uint8Array ? content : content.path
}

const inForm = (text: string, form: Form, most = maxCharacters): string => {
  switch (form) {
    case 'html':
      return text
    case 'timeless':
      return withoutTimes(text)
    case 'plain':
      return shortened(plainText(text), most)
  }
}

const fileOf = (png: Uint8Array): InputFile => new InputFile(png, 'picture.png')

import { type Api, GrammyError } from 'grammy'
import { render } from '../../pictures/render.ts'
import { acting, type ChatAction } from './chat-action.ts'
import { isPrompt, noPrompts, type Prompts } from './prompts.ts'
import { escapeHtml, type Screen, withoutTimes } from './screen.ts'
import { type FileToSend, persistently, type Sender, type Sent } from './sender.ts'
import type { Tasks } from './tasks.ts'

/** A message: given as it is, or worded in its turn from what is true then. Null says nothing after all. */
export type Words = Screen | string | (() => Promise<Screen | null>)

/**
 * A picture by its source (SVG), with its caption as the text. If the picture cannot be sent, the text is sent alone.
 */
export interface Picture extends Screen {
  svg: string
}

/**
 * Pictures that are looked at together, by their source (SVG), and a message after them. An album has one caption
 * and no buttons. If no picture can be sent, the caption is sent alone.
 */
export interface Album {
  /** Each set is sent whole or not at all, because a page of it alone would mislead. */
  sets: readonly (readonly string[])[]
  /** Telegram's HTML. */
  caption: string
  /** Said after the pictures if a set is missing. */
  partly?: string
  next?: Screen
}

/**
 * One update's side of the conversation. A handler only commits. The messages and work that it asks for here begin when
 * it has returned, so that no chat waits for Telegram or the provider to answer another's, and nothing is said that was
 * not committed.
 */
export interface Talk {
  readonly chatId: number
  /** Sends a message after the earlier ones of the chat. */
  say(words: Words, onSent?: (messageId: number) => Promise<void>): void
  /** Changes the message whose button was pressed. Without a press, sends a new one. */
  show(words: Words, onSent?: (messageId: number) => Promise<void>): void
  /** Changes an earlier message of ours. */
  edit(messageId: number, words: Words): void
  /** Sends a document, which is made in its turn. */
  sendFile(make: () => Promise<FileToSend>): void
  /** Sends a picture, which is made and drawn in its turn. */
  sendPhoto(make: () => Promise<Picture>): void
  /** Puts the picture into the message whose button was pressed, if that message shows one; else sends it. */
  showPhoto(make: () => Promise<Picture>): void
  /** Sends pictures as one album, made and drawn in their turn. One picture goes alone, and more than ten in several. */
  sendAlbum(make: () => Promise<Album>): void
  /** Answers the press with a short text on the screen. */
  toast(text: string, alert?: boolean): void
  /** Does work that may take long, such as asking the provider, with a typing indicator. */
  aside(work: () => Promise<void>): void
  /** The next screen that can be left is a prompt: the chat's next message answers it. */
  asks(): void
  /** The chat's prompt is answered or left: its buttons go. */
  answered(): void
  /** Begins with everything said so far: the handler has returned. */
  begin(): void
}

/** The talk of one update. Its screens are sent after the update was handled, by `tasks`. */
export const createTalk = (options: {
  api: Api
  sender: Sender
  tasks: Tasks
  chatId: number
  /** The topic of a forum in which the update came. */
  threadId?: number | undefined
  /** The message whose button was pressed; `queryId` is null if nobody pressed one, and `show` changes it all the same. */
  pressed: { queryId: string | null; messageId: number | null; isPhoto: boolean } | null
  /** Called with an error of work that failed, before the log is told. */
  onFault?: (error: unknown) => Promise<void>
  /** Called when Telegram took no answer to what the person wrote. Who pressed sees that, and can press again. */
  onLost?: () => Promise<void>
  prompts?: Prompts
}): Talk => {
  const {
    api,
    sender,
    tasks,
    chatId,
    threadId,
    pressed,
    onFault = async () => {},
    onLost = async () => {},
    prompts = noPrompts,
  } = options
  const prompting = createPrompting({ sender, prompts, chatId })

  const answering = async (send: () => Promise<Sent>): Promise<Sent> => {
    const sent = await persistently(send)
    if (isLost(sent) && pressed === null) await onLost()
    return sent
  }

  let begun = false
  let answer: { text?: string; show_alert?: boolean } = {}
  const waiting: (() => void)[] = []

  const told = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work()
    } catch (error) {
      await onFault(error)
      throw error
    }
  }

  const run = (work: () => void) => {
    if (begun) work()
    else waiting.push(work)
  }

  /**
   * Answers the press. An alert says why nothing came of it, so if it is too late for a toast it is sent as a message,
   * unless others would read that.
   */
  const answerPress = async (queryId: string): Promise<void> => {
    try {
      await api.answerCallbackQuery(queryId, answer)
    } catch (error) {
      const isLate = error instanceof GrammyError && /too old|query id/i.test(error.description)
      if (!isLate || !answer.show_alert || !answer.text || chatId < 0) return
      await sender.send(chatId, { text: escapeHtml(answer.text) })
    }
  }

  const put = (
    words: Words,
    messageId: number | null,
    onSent: (messageId: number) => Promise<void> = async () => {},
  ) => {
    prompting.changes(messageId)
    run(() =>
      tasks.inOrder(chatId, async () => {
        const worded = await told(() => screenOf(words))
        if (!worded) return
        const screen = threadId === undefined ? worded : { ...worded, threadId }
        const sent = await answering(() =>
          messageId === null ? sender.send(chatId, screen) : sender.edit(chatId, messageId, screen),
        )
        if (sent.kind !== 'sent') return
        await onSent(sent.messageId)
        await prompting.shown(screen, sent.messageId)
      }),
    )
  }

  const putPhoto = (make: () => Promise<Picture>, messageId: number | null) =>
    run(() =>
      tasks.inOrder(chatId, () =>
        busy('upload_photo', async () => {
          const { svg, ...screen } = await told(make)
          const png = await drawn(svg)
          const sent =
            png &&
            (await answering(() =>
              messageId === null
                ? sender.sendPhoto(chatId, { ...screen, png })
                : sender.editPhoto(chatId, messageId, { ...screen, png }),
            ))
          if (!sent || isRefused(sent)) await answering(() => sender.send(chatId, screen))
        }),
      ),
    )

  const putAlbum = (make: () => Promise<Album>) =>
    run(() =>
      tasks.inOrder(chatId, () =>
        busy('upload_photo', async () => {
          const { sets, caption, partly, next } = await told(make)
          const drawnSets = await Promise.all(sets.map((svgs) => Promise.all(svgs.map(drawn))))
          const whole = drawnSets.map((pngs) => pngs.filter((png) => png !== null))
          const pngs = whole.filter((each, index) => each.length === sets[index]?.length).flat()
          const missing = sets.flat().length - (await sendPictures(pngs, caption))
          const isNone = missing === sets.flat().length
          if (isNone) await answering(() => sender.send(chatId, { text: caption }))
          else if (missing > 0 && partly) await answering(() => sender.send(chatId, { text: partly }))
          if (next) await answering(() => sender.send(chatId, next))
        }),
      ),
    )

  /** One by one if Telegram refuses an album, so that one picture does not keep the others. @returns how many came. */
  const sendPictures = async (pngs: readonly Uint8Array[], caption: string): Promise<number> => {
    let came = 0
    const text = () => (came === 0 ? caption : '')
    for (const album of inAlbums(pngs)) {
      const whole = album.length > 1 ? await answering(() => sender.sendAlbum(chatId, album, text())) : null
      if (whole && !isRefused(whole)) {
        came += album.length
        continue
      }
      for (const png of album) {
        const sent = await answering(() => sender.sendPhoto(chatId, { png, text: text() }))
        if (!isRefused(sent)) came += 1
      }
    }
    return came
  }

  /** Null if the picture cannot be drawn; the log says why. */
  const drawn = (svg: string): Promise<Uint8Array | null> =>
    render(svg).catch((error: unknown) => {
      tasks.aside(() => Promise.reject(error))
      return null
    })

  const busy = (action: ChatAction, work: () => Promise<void>): Promise<void> =>
    acting(() => sender.act(chatId, action), work)

  return {
    chatId,
    say: (words, onSent) => put(words, null, onSent),
    // A picture stays where it is: Telegram cannot turn it into a text.
    show: (words, onSent) => put(words, pressed && !pressed.isPhoto ? pressed.messageId : null, onSent),
    edit: (messageId, words) => put(words, messageId),
    sendFile: (make) =>
      run(() =>
        tasks.inOrder(chatId, async () => {
          const file = await told(make)
          await answering(() => sender.sendFile(chatId, file)).finally(() => file.after?.())
        }),
      ),
    sendPhoto: (make) => putPhoto(make, null),
    showPhoto: (make) => putPhoto(make, pressed?.isPhoto ? pressed.messageId : null),
    sendAlbum: putAlbum,
    toast: (text, alert = false) => {
      answer = { text: withoutTimes(text), show_alert: alert }
    },
    aside: (work) => {
      // What it shows comes later.
      prompting.changes(pressed?.messageId ?? null)
      run(() => tasks.aside(() => told(() => busy('typing', work)), chatId))
    },
    asks: prompting.asks,
    answered: prompting.answered,
    begin: () => {
      begun = true
      if (prompting.isUsed()) tasks.inOrder(chatId, prompting.begin)
      const queryId = pressed?.queryId
      if (queryId) tasks.aside(() => answerPress(queryId))
      for (const work of waiting.splice(0)) work()
      if (prompting.isUsed()) tasks.inOrder(chatId, prompting.end)
    },
  }
}

/** An update's effects on the chat's prompt. They run in the order of the chat's messages. */
const createPrompting = (options: { sender: Sender; prompts: Prompts; chatId: number }) => {
  const { sender, prompts, chatId } = options
  let isAsking = false
  let isAnswered = false
  /** The prompt from before this update. */
  let before: number | null = null
  /** Messages with a new text have other buttons, too. */
  const changed = new Set<number>()

  const close = async (): Promise<void> => {
    const messageId = before
    before = null
    if (messageId !== null && !changed.has(messageId)) await sender.removeButtons(chatId, messageId)
  }

  return {
    changes: (messageId: number | null) => {
      if (messageId !== null) changed.add(messageId)
    },
    asks: () => {
      isAsking = true
    },
    answered: () => {
      isAnswered = true
    },
    isUsed: () => isAsking || isAnswered,
    begin: async () => {
      before = await prompts.of(chatId)
    },
    shown: async (screen: Screen, messageId: number): Promise<void> => {
      changed.add(messageId)
      if (!isAsking || !isPrompt(screen)) return
      await prompts.set(chatId, messageId)
      await close()
    },
    end: async () => {
      // If the chat is asked once more without a new prompt, or before it is made, the old one stays.
      if (!isAnswered || before === null) return
      await prompts.forget(chatId)
      await close()
    },
  }
}

const screenOf = async (words: Words): Promise<Screen | null> => {
  if (typeof words === 'function') return words()
  return typeof words === 'string' ? { text: words } : words
}

/** Telegram was down at each try. */
const isLost = (sent: Sent): boolean => sent.kind === 'failed' && sent.refusal.kind === 'unknown'

const isRefused = (sent: Sent): boolean => sent.kind === 'failed' && sent.refusal.kind === 'refused'

/** Telegram takes so many pictures in one album. */
const maxInAlbum = 10

const inAlbums = <T>(all: readonly T[]): T[][] =>
  all.flatMap((_, index) => (index % maxInAlbum === 0 ? [all.slice(index, index + maxInAlbum)] : []))

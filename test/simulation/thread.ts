import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { type Noticed, noticed } from './mutations.ts'
import { type Result, type Run, simulate } from './simulation.ts'

/** What a thread is asked for, one at a time: a run, or the first seed that notices the absence of a safeguard. */
export type Question = { kind: 'run'; run: Run } | { kind: 'notice'; safeguard: string; judgedAlone: boolean }

/** A thread that simulates. */
export interface Thread {
  simulate(run: Run): Promise<Result>
  notice(safeguard: string, judgedAlone: boolean): Promise<Noticed | null>
}

const thisThread: Thread = { simulate, notice: noticed }

const threadOf = (worker: Worker): Thread => {
  /** Rejects if the thread dies of a fault. */
  const ask = async <Answer>(question: Question): Promise<Answer> => {
    worker.postMessage(question)
    const [answer] = await once(worker, 'message')
    return answer
  }
  return {
    simulate: (run) => ask({ kind: 'run', run }),
    notice: (safeguard, judgedAlone) => ask({ kind: 'notice', safeguard, judgedAlone }),
  }
}

/**
 * Does jobs on so many threads: each takes the next job when it is done with one.
 * @param nextJob null: there are no more.
 */
export const shareOut = async <Job>(
  count: number,
  nextJob: () => Job | null,
  work: (thread: Thread, job: Job) => Promise<void>,
): Promise<void> => {
  const workers = count === 1 ? [] : Array.from({ length: count }, startWorker)
  const threads = count === 1 ? [thisThread] : workers.map(threadOf)
  try {
    await Promise.all(
      threads.map(async (thread) => {
        for (let job = nextJob(); job !== null; job = nextJob()) await work(thread, job)
      }),
    )
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()))
  }
}

const startWorker = (): Worker => new Worker(new URL('./worker.ts', import.meta.url))

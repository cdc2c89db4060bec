-- CreateTable
CREATE TABLE "Unanswered" (
    "id" TEXT COLLATE "C" NOT NULL,
    "cause" TEXT COLLATE "C" NOT NULL,
    "accountId" TEXT COLLATE "C" NOT NULL,
    "userId" BIGINT NOT NULL,
    "chatId" BIGINT NOT NULL,
    "kind" TEXT COLLATE "C" NOT NULL,
    "ask" TEXT COLLATE "C" NOT NULL,
    "messageId" INTEGER,
    "createdAt" TIMESTAMP(3) NOT NULL,
    "tryAt" TIMESTAMP(3) NOT NULL,
    "until" TIMESTAMP(3) NOT NULL,

    CONSTRAINT "Unanswered_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "Unanswered_cause_key" ON "Unanswered"("cause");

-- CreateIndex
CREATE INDEX "Unanswered_tryAt_idx" ON "Unanswered"("tryAt");

-- CreateIndex
CREATE INDEX "Unanswered_chatId_kind_idx" ON "Unanswered"("chatId", "kind");

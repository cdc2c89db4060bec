-- CreateTable
CREATE TABLE "Warning" (
    "chatId" BIGINT NOT NULL,
    "messageId" INTEGER NOT NULL,
    "purchaseId" TEXT COLLATE "C" NOT NULL,
    "orderId" TEXT COLLATE "C" NOT NULL,
    "mistaken" TEXT COLLATE "C",
    "says" TEXT COLLATE "C" NOT NULL,
    "isOwed" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "Warning_pkey" PRIMARY KEY ("chatId","messageId")
);

-- CreateIndex
CREATE INDEX "Warning_purchaseId_idx" ON "Warning"("purchaseId");

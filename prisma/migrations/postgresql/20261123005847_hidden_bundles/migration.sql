-- CreateTable
CREATE TABLE "HiddenBundle" (
    "accountId" TEXT COLLATE "C" NOT NULL,
    "bundleId" INTEGER NOT NULL,

    CONSTRAINT "HiddenBundle_pkey" PRIMARY KEY ("accountId","bundleId")
);

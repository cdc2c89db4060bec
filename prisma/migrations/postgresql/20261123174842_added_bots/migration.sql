-- CreateTable
CREATE TABLE "Bot" (
    "id" BIGINT NOT NULL,
    "username" TEXT COLLATE "C" NOT NULL,
    "sealedToken" TEXT COLLATE "C" NOT NULL,
    "ownerIds" TEXT COLLATE "C" NOT NULL,
    "addedAt" TIMESTAMP(3) NOT NULL,
    "startedAt" TIMESTAMP(3),
    "stopped" TEXT COLLATE "C",

    CONSTRAINT "Bot_pkey" PRIMARY KEY ("id")
);

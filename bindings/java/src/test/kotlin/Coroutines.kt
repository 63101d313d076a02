import java.time.Duration
import java.util.concurrent.CompletableFuture
import java.util.concurrent.CountDownLatch
import kotlinx.coroutines.Dispatchers
import kotlinx.coroutines.Job
import kotlinx.coroutines.async
import kotlinx.coroutines.currentCoroutineContext
import kotlinx.coroutines.isActive
import kotlinx.coroutines.launch
import kotlinx.coroutines.runBlocking
import org.payorder.*

/** How a call in a coroutine ended that was cancelled. */
fun cancelled(call: suspend () -> Any, cancel: (Job) -> Unit): Any = runBlocking {
    val ended = CompletableFuture<Any>()
    val job = launch(Dispatchers.Default) {
        ended.complete(try { call() } catch (error: PayorderException) { error })
    }
    cancel(job)
    job.join()
    check(job.isCancelled)
    ended.getNow("lost")
}

fun isKnown(client: PayorderClient, order: Order): Boolean =
    try { client.getStatus(order.orderId).orderId == order.orderId }
    catch (notYet: RejectedException) { false }

// The compiler chooses by what it knows of a value. Of one that may be anything, it knows nothing.
@JvmName("known") fun told(text: String) = "never null"
fun told(text: String?) = "may be null"

fun main() = PayorderClient.fromEnv().use { client ->
    val stalled = Till.order("kotlin-1").productInfo("Tea sandbox:stall")
    val unknown = cancelled({ outcome { client.createOrderAsync(stalled) } }) {
        while (!isKnown(client, stalled)) Thread.sleep(10)
        it.cancel()
    }
    println("cancelled in flight: ${unknown is CancelledInFlightException}")
    (unknown as PayorderException).let { println(told(it.name) + ", " + told(it.checkoutUrl)) }

    // Cancelled when the service has answered: the checkout URL is not lost.
    val running = CompletableFuture<Job>()
    client.setLog { if (it.event == "call_finished") running.join().cancel() }
    val created = cancelled({ outcome { client.createOrderAsync(Till.order("kotlin-2")) } }) {
        running.complete(it)
    }
    client.setLog(null)
    println("cancelled too late: ${created is Checkout}")

    // Cancelled before: nothing is sent.
    val late = Till.order("kotlin-3")
    val started = CountDownLatch(1)
    val none = cancelled({
        started.countDown()
        while (currentCoroutineContext().isActive) Thread.sleep(1)
        outcome { client.createOrderAsync(late) }
    }) {
        started.await()
        it.cancel()
    }
    println("cancelled before: ${none == "lost" && !isKnown(client, late)}")

    val options = WaitOptions().waitFor(Duration.ofMillis(300))
    runBlocking {
        val query = StatusQuery.byOrder("kotlin-1")
        val waits = List(100) { async { outcome { client.waitForPaymentAsync(query, options) } } }
        println("not paid: ${waits.count { it.await().isTimedOut }}")
    }
}

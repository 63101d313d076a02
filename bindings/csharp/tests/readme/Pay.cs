using System.Net;

/// <summary>Pays an order of the sandbox, for the program that is made from the README.</summary>
internal partial class Readme
{
    private static string Pay(string checkoutUrl)
    {
        var request = (HttpWebRequest)WebRequest.Create(checkoutUrl + "/pay");
        request.Method = "POST";
        request.ContentLength = 0;
        request.AllowAutoRedirect = false;
        using (var response = request.GetResponse())
        {
            return response.Headers["Location"] ?? "";
        }
    }
}
